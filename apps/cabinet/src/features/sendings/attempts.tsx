import type { Sending } from '@heliograph/contract';
import { Anchor, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useRowLink } from '../../list/state/use-row-link.ts';
import { AttemptBadge } from './sending-badge.tsx';

/** The attempts of the outcome, each with a link; absent when there is only one. */
export function Attempts({ sending: { id, attempts = [] } }: { sending: Sending }) {
  const { t } = useTranslation();
  const linkTo = useRowLink();
  if (attempts.length < 2) return null;
  return (
    <section aria-label={t('sendings:detail.attempts')}>
      <ol style={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {attempts.map((attempt, n) => {
          const name = t('sendings:detail.attempt', {
            number: n + 1,
            type: t(`common:type.${attempt.type}`),
          });
          return (
            <li key={attempt.id} style={{ padding: '4px 0' }}>
              <Group gap="sm">
                {attempt.id === id ? (
                  <Text size="sm" fw={500} aria-current="true">
                    {name}
                  </Text>
                ) : (
                  <Anchor component={Link} size="sm" to={linkTo(attempt)}>
                    {name}
                  </Anchor>
                )}
                <AttemptBadge status={attempt.status} />
                {attempt.code && (
                  <Text size="sm" c="dimmed">
                    {t(`sendings:error.${attempt.code}`, { defaultValue: attempt.code })}
                  </Text>
                )}
              </Group>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
