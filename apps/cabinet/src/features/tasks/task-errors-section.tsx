import type { Bulk } from '@heliograph/contract';
import { failureAdvice } from '@heliograph/domain';
import { Anchor, Group, Progress, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { reportOf } from './task-actions.tsx';
import { useTaskErrors } from './tasks.api.ts';

/** Why recipients were not reached and what helps, most frequent first, and the way to their numbers; attempts that decided nothing beneath. */
export function TaskErrors({ task }: { task: Bulk }) {
  const { t } = useTranslation();
  const can = useCan();
  const formats = useFormats();
  const errors = useTaskErrors(task);
  if (!errors) return null;
  const all = errors.data.reduce((sum, { count }) => sum + count, 0);
  const others = errors.others > 0 && (
    <Text size="xs" c="dimmed" mt={4} className="numeric">
      {t('tasks:errors.others', {
        count: errors.others,
        number: formats.number(errors.others),
      })}
    </Text>
  );
  if (!all) return others;
  return (
    <section aria-labelledby="task-errors">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5" id="task-errors">
          {t('tasks:errors.title')}
        </Title>
        {can('sendings.get') && (
          <Anchor component={Link} size="sm" to={reportOf(task, true)}>
            {t('tasks:errors.numbers')}
          </Anchor>
        )}
      </Group>
      <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {errors.data.map(({ code, count }) => (
          <li key={code} style={{ padding: '6px 0' }}>
            <Group justify="space-between" wrap="nowrap" gap="sm">
              <Text size="sm">{t(`sendings:error.${code}`, { defaultValue: code })}</Text>
              <Text size="sm" className="numeric">
                {formats.number(count)}
              </Text>
            </Group>
            <Text size="xs" c="dimmed">
              {t(`sendings:advice.${failureAdvice(code)}`)}
            </Text>
            <Progress mt={4} value={(count / all) * 100} size="xs" color="red.7" aria-hidden />
          </li>
        ))}
      </ul>
      {others}
    </section>
  );
}
