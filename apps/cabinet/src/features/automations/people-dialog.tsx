import type { Automation, AutomationRun } from '@heliograph/contract';
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { usePolling } from '../../core/realtime/live.ts';
import { useMayOpen } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { DetailBody } from '../../ui/detail.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Time } from '../../ui/time.tsx';
import { peopleQuery } from './automations.api.ts';

interface PeopleDialogProps {
  row: Automation;
  onClose: () => void;
}

/** The people who have entered last, and how far they are. */
export function PeopleDialog({ row, onClose }: PeopleDialogProps) {
  const { t } = useTranslation();
  const refetchInterval = usePolling('automations');
  const detail = useQuery({ ...peopleQuery(row.id), refetchInterval });
  return (
    <Dialog
      opened
      onClose={onClose}
      size={600}
      title={t('automations:people.of', { title: row.title })}
    >
      <DetailBody detail={detail} failed={t('automations:people.failed')}>
        {({ data, total }) => <People runs={data} total={total} steps={row.steps} />}
      </DetailBody>
    </Dialog>
  );
}

interface PeopleProps {
  runs: AutomationRun[];
  total: number;
  steps: Automation['steps'];
}

function People({ runs, total, steps }: PeopleProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const mayOpen = useMayOpen();
  const positions = new Map(steps.map(({ id }, i) => [id, i + 1]));
  const stateOf = ({ state, taken }: AutomationRun) => {
    const position = positions.get(taken.at(-1) ?? 0);
    if (state !== 'waiting' || !position) return t(`automations:people.state.${state}`);
    return t('automations:people.after', { number: formats.number(position) });
  };
  return (
    <Stack gap="sm">
      <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {runs.map((run) => (
          <li key={run.id}>
            <Group justify="space-between" gap="xs" py={6} align="flex-start">
              <div>
                <Text size="sm" className="numeric">
                  {run.SendingId && mayOpen('/messages/outgoing') ? (
                    <Anchor component={Link} to={`/messages/outgoing?id=${run.SendingId}`} inherit>
                      {run.address}
                    </Anchor>
                  ) : (
                    run.address
                  )}
                </Text>
                <Text size="xs" c="dimmed">
                  <Time at={run.createdAt} />
                </Text>
              </div>
              <div style={{ textAlign: 'end' }}>
                <Text size="sm">{stateOf(run)}</Text>
                {run.dueAt && (
                  <Text size="xs" c="dimmed">
                    {t('automations:people.next')} <Time at={run.dueAt} />
                  </Text>
                )}
                {run.code && (
                  <Text size="xs" c="var(--mantine-color-error)">
                    <Reason code={run.code} />
                  </Text>
                )}
              </div>
            </Group>
          </li>
        ))}
      </ul>
      {total > runs.length && (
        <Text size="xs" c="dimmed">
          {t('automations:people.last', { number: formats.number(runs.length) })}
        </Text>
      )}
    </Stack>
  );
}

const OWN_REASONS = ['no_address', 'no_contact', 'tags_full'] as const;

/** Why a step had no effect, in words. */
export function Reason({ code }: { code: string }) {
  const { t } = useTranslation();
  const own = OWN_REASONS.find((one) => one === code);
  return own ? t(`automations:reason.${own}`) : t(`errors:code.${code}`, { defaultValue: code });
}
