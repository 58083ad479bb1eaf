import type { Sending } from '@heliograph/contract';
import { Text, Timeline } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import {
  IconArrowBack,
  IconCheck,
  IconChecks,
  IconEye,
  IconLink,
  IconPlus,
  IconSend,
  IconWallet,
  IconX,
} from '../../ui/icons.ts';

type TimelineEvent = NonNullable<Sending['timeline']>[number];

const LOOK: Record<TimelineEvent['event'], { icon: Icon; color: string }> = {
  created: { icon: IconPlus, color: 'gray' },
  charged: { icon: IconWallet, color: 'gray' },
  sent: { icon: IconCheck, color: 'green' },
  delivered: { icon: IconChecks, color: 'green' },
  seen: { icon: IconEye, color: 'green' },
  clicked: { icon: IconLink, color: 'green' },
  failed: { icon: IconX, color: 'red' },
  refunded: { icon: IconArrowBack, color: 'gray' },
  settled: { icon: IconArrowBack, color: 'gray' },
  fallback: { icon: IconSend, color: 'blue' },
};

/** The whole chain from the first attempt to the last, as it happened. */
export function SendingTimeline({
  timeline: events = [],
  Owner,
}: Pick<Sending, 'timeline' | 'Owner'>) {
  const { t } = useTranslation();
  const formats = useFormats(Owner?.currency);
  return (
    <Timeline bulletSize={24} lineWidth={2} active={events.length}>
      {events.map((event, index) => {
        const { icon: EventIcon, color } = LOOK[event.event];
        const values = { type: t(`common:type.${event.type}`), attempt: event.attempt };
        // The length of the call took all of its reserve.
        const isWhole = event.event === 'settled' && !event.amount;
        const code = event.code ?? event.detail;
        const reason =
          event.event === 'clicked'
            ? event.detail
            : code && t(`sendings:error.${code}`, { defaultValue: event.detail ?? code });
        return (
          <Timeline.Item
            key={`${event.id}-${event.event}-${index}`}
            bullet={<EventIcon size={14} aria-hidden />}
            color={color}
            title={t(`sendings:timeline.${isWhole ? 'settledWhole' : event.event}`, values)}
          >
            {reason && (
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {reason}
              </Text>
            )}
            {event.carrier && (
              <Text size="sm" c="dimmed">
                {t('sendings:timeline.carrier', { words: wordsOf(event.carrier) })}
              </Text>
            )}
            {event.way && (
              <Text size="sm" c="dimmed">
                {event.way.route === null
                  ? t('sendings:timeline.way', { channel: event.way.channel })
                  : t('sendings:timeline.wayByRoute', { ...event.way, route: event.way.route })}
              </Text>
            )}
            {event.seconds !== undefined && (
              <Text size="sm">
                {t('sendings:timeline.seconds', { seconds: formats.seconds(event.seconds) })}
              </Text>
            )}
            {event.amount !== null && !isWhole && (
              <Text size="sm">
                {event.package === undefined
                  ? formats.money(Math.abs(event.amount))
                  : t('common:fromPackage', { title: event.package })}
              </Text>
            )}
            <Text size="xs" c="dimmed">
              <time dateTime={event.at}>{formats.dateTime(event.at)}</time>
            </Text>
          </Timeline.Item>
        );
      })}
    </Timeline>
  );
}

const wordsOf = ({ code, text }: NonNullable<TimelineEvent['carrier']>) =>
  [code, text].filter(Boolean).join(', ');
