import type { RecurringRun } from '@heliograph/contract';
import { Anchor, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Time } from '../../ui/time.tsx';

/** A due time: the bulk that was sent, or why none was. */
export function RunResult({ run }: { run: RecurringRun }) {
  const { t } = useTranslation();
  const { TaskId, dueAt, code, error } = run;
  if (TaskId)
    return (
      <Anchor component={Link} to={`/messages/tasks/${TaskId}`} inherit>
        <Time at={dueAt} />
      </Anchor>
    );
  return (
    <>
      <Time at={dueAt} />
      <Text size="xs" c="var(--mantine-color-error)" style={{ whiteSpace: 'normal' }}>
        {t(`errors:code.${code ?? 'internal'}`, { defaultValue: error ?? '' })}
      </Text>
    </>
  );
}
