import { MAX_ROUTES, SendingType, type RoutingGroup } from '@heliograph/contract';
import { Button, Fieldset, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useFormErrors } from '../../core/use-form-errors.ts';
import { findQuery } from '../../list/state/use-list.ts';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconArrowUp, IconPlus, IconTrash } from '../../ui/icons.ts';
import { channelSpec } from '../channels/channels.api.ts';
import { routingGroupQuery, useSaveRoutingGroup } from './account-groups.api.ts';
import { GroupDrawer, GroupFrame, type GroupFormProps } from './group-drawer.tsx';

export const RoutingGroupDrawer = () => (
  <GroupDrawer noun="routingGroups" query={routingGroupQuery}>
    {(props) => <RoutingGroupForm key={props.row?.id ?? 'new'} {...props} />}
  </GroupDrawer>
);

interface Row {
  key: number;
  type: SendingType;
  ChannelId: string;
}

function RoutingGroupForm({ row, onClose }: GroupFormProps<RoutingGroup>) {
  const { t } = useTranslation();
  const split = useFormErrors();
  const { mutate, isPending, error } = useSaveRoutingGroup(row?.id);
  const mayReadChannels = useCan()('channels.get', 'managerUp');
  const { data } = useQuery({
    ...findQuery(channelSpec, {
      limit: 200,
      order: [{ field: 'name', direction: 'asc' }],
      filter: {},
    }),
    enabled: mayReadChannels,
  });
  const channels = data?.data ?? [];
  const [rows, setRows] = useState<Row[]>(() =>
    (row?.routes ?? [{ type: 'sms' as const, ChannelId: '' }]).map((route, key) => ({
      ...route,
      key,
    })),
  );
  const put = (at: number, patch: Partial<Row>) =>
    setRows((now) => now.map((one, i) => (i === at ? { ...one, ...patch } : one)));
  const swap = (at: number) => setRows((now) => now.with(at - 1, now[at]!).with(at, now[at - 1]!));
  const fields = [
    'title',
    ...rows.flatMap((_, i) => [`routes.${i}.type`, `routes.${i}.ChannelId`]),
  ];
  const { byField, rest } = error ? split(error, fields) : { byField: {}, rest: null };
  const [isAsked, setAsked] = useState(false);
  const channelsOf = ({ type, ChannelId }: Row) => {
    const known = channels
      .filter((channel) => channel.types.includes(type))
      .map(({ name, isActive }) => ({
        value: name,
        label: isActive ? name : t('accountGroups:off', { name }),
      }));
    const isListed = !ChannelId || known.some(({ value }) => value === ChannelId);
    return [
      { value: '', label: t('accountGroups:choose') },
      ...known,
      // Removed since, or without the right to read channels.
      ...(isListed ? [] : [{ value: ChannelId, label: ChannelId }]),
    ];
  };
  return (
    <GroupFrame
      noun="routingGroups"
      isNew={!row}
      title={row?.title ?? ''}
      isPending={isPending}
      error={byField.title}
      rest={rest}
      onClose={onClose}
      onSave={(title, onSuccess) => {
        setAsked(true);
        if (rows.some(({ ChannelId }) => !ChannelId)) return;
        const routes = rows.map(({ type, ChannelId }) => ({ type, ChannelId }));
        mutate({ title, routes }, { onSuccess });
      }}
    >
      <Text size="sm" c="dimmed">
        {t('accountGroups:routesHint')}
      </Text>
      {rows.map((one, i) => {
        const number = i + 1;
        return (
          <Fieldset key={one.key} legend={t('accountGroups:route', { number })}>
            <Stack gap="xs">
              <Group grow wrap="nowrap" align="flex-start">
                <NativeSelect
                  label={t('accountGroups:type')}
                  value={one.type}
                  onChange={(event) =>
                    put(i, { type: event.currentTarget.value as SendingType, ChannelId: '' })
                  }
                  data={SendingType.options.map((value) => ({
                    value,
                    label: t(`common:type.${value}`),
                  }))}
                  error={byField[`routes.${i}.type`]}
                />
                <NativeSelect
                  label={t('accountGroups:channel')}
                  required
                  value={one.ChannelId}
                  onChange={(event) => put(i, { ChannelId: event.currentTarget.value })}
                  data={channelsOf(one)}
                  error={
                    (isAsked && !one.ChannelId && t('errors:rule.required')) ||
                    byField[`routes.${i}.ChannelId`]
                  }
                />
              </Group>
              {rows.length > 1 && (
                <Group gap={4} justify="flex-end">
                  <IconAction
                    icon={IconArrowUp}
                    label={t('accountGroups:moveUp', { number })}
                    disabled={i === 0}
                    onClick={() => swap(i)}
                  />
                  <IconAction
                    icon={IconTrash}
                    label={t('accountGroups:removeRoute', { number })}
                    onClick={() => setRows((now) => now.filter((_, at) => at !== i))}
                  />
                </Group>
              )}
            </Stack>
          </Fieldset>
        );
      })}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={rows.length >= MAX_ROUTES}
          onClick={() =>
            setRows((now) => [
              ...now,
              { key: Math.max(...now.map(({ key }) => key)) + 1, type: 'sms', ChannelId: '' },
            ])
          }
        >
          {t('accountGroups:addRoute')}
        </Button>
      </div>
    </GroupFrame>
  );
}
