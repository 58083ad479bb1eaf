import { isBulk, type Task } from '@heliograph/contract';
import { Text, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { progressOf } from './task-progress.ts';

/** How many went well, failed, were cancelled, and were left out, with the reasons for the latter. */
export function TaskCounters({ task }: { task: Task }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { completed, errored, cancelled, skipped } = progressOf(task);
  const reasons = Object.entries(task.meta.counters.skipped)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) =>
      t('tasks:skippedBecause', {
        reason: t(`common:skip.${reason}`, { defaultValue: reason }),
        count: formats.number(count),
      }),
    );
  return (
    <>
      <Text size="xs" className="numeric">
        {t(isBulk(task) ? 'tasks:outcome' : 'tasks:outcomeDone', {
          completed: formats.number(completed),
          errored: formats.number(errored),
        })}
      </Text>
      {cancelled > 0 && (
        <Text size="xs" c="dimmed" className="numeric">
          {t('tasks:cancelledCount', { cancelled: formats.number(cancelled) })}
        </Text>
      )}
      {skipped > 0 && (
        <Tooltip label={reasons.join('\n')} style={{ whiteSpace: 'pre-line' }}>
          <Text size="xs" c="dimmed" className="numeric" tabIndex={0} w="fit-content">
            {t('tasks:skippedCount', { skipped: formats.number(skipped) })}
            <span className="visually-hidden"> {reasons.join(', ')}</span>
          </Text>
        </Tooltip>
      )}
    </>
  );
}
