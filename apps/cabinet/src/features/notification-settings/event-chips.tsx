import type { NotificationSettings } from '@heliograph/contract';
import {
  isAlwaysEmailed,
  NOTIFICATION_AREAS,
  NOTIFICATION_CHANNELS,
  notificationArea,
  type NotificationArea,
  type NotificationChannel,
} from '@heliograph/domain';
import { Chip, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { notificationColor } from '../../core/notification-color.ts';
import { useTimeZone } from '../../core/time-zone.ts';
import { useChoose } from './notification-settings.api.ts';

interface EventChipsProps {
  settings: NotificationSettings;
  readOnly: boolean;
}

type Event = NotificationSettings['events'][number];

/** The chips of all events, by area. */
export function EventChips({ settings, readOnly }: EventChipsProps) {
  const { events, telegram, email } = settings;
  const offered = NOTIFICATION_CHANNELS.filter(
    (channel) =>
      channel === 'web' || (channel === 'telegram' ? telegram.state : email.state) !== 'off',
  );
  const areas = Map.groupBy(events, ({ type }) => notificationArea(type));
  return NOTIFICATION_AREAS.filter((area) => areas.has(area)).map((area) => (
    <Area key={area} area={area} events={areas.get(area)!} offered={offered} readOnly={readOnly} />
  ));
}

interface AreaProps {
  area: NotificationArea;
  events: Event[];
  offered: NotificationChannel[];
  readOnly: boolean;
}

function Area({ area, events, ...rest }: AreaProps) {
  const { t } = useTranslation();
  return (
    <Paper withBorder p="md">
      <Title order={3} size="h5" mb="sm">
        {t(`notificationSettings:area.${area}`)}
      </Title>
      <Stack gap="sm">
        {events.map((event) => (
          <EventRow key={event.type} event={event} {...rest} />
        ))}
      </Stack>
    </Paper>
  );
}

function EventRow({
  event: { type, channels },
  offered,
  readOnly,
}: Omit<AreaProps, 'area' | 'events'> & { event: Event }) {
  const { t } = useTranslation();
  const timeZone = useTimeZone();
  const { mutate } = useChoose();
  const title = t(`notifications:types.${type}.title`);
  return (
    <Group justify="space-between" gap="xs" role="group" aria-label={title}>
      <Text size="sm" c={`var(--app-${notificationColor(type)}-text)`} flex="1 1 220px">
        {title}
      </Text>
      <Group gap="xs">
        {offered.map((channel) => {
          const isFixed = channel === 'email' && isAlwaysEmailed(type);
          return (
            <Chip
              key={channel}
              size="xs"
              aria-label={t('common:labelled', {
                label: t(`notifications:channels.${channel}`),
                value: title,
              })}
              checked={isFixed || channels.includes(channel)}
              disabled={isFixed || readOnly}
              title={isFixed ? t('notificationSettings:alwaysEmailed') : undefined}
              onChange={(isOn) =>
                mutate({ type, channel, isOn, ...(type === 'BalanceDaily' && { timeZone }) })
              }
            >
              {t(`notifications:channels.${channel}`)}
            </Chip>
          );
        })}
      </Group>
    </Group>
  );
}
