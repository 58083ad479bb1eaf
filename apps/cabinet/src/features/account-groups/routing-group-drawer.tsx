import { MAX_ROUTES, routingGroups, SendingType, type RoutingGroup } from '@heliograph/contract';
import { Button, Fieldset, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useCan } from '../../core/settings.ts';
import { findQuery } from '../../list/state/use-list.ts';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconPlus, IconTrash } from '../../ui/icons.ts';
import { SortableRows } from '../../ui/sortable-rows.tsx';
import { channelSpec } from '../channels/channels.api.ts';
import { routingGroupQuery, useSaveRoutingGroup } from './account-groups.api.ts';
import {
  GroupDrawer,
  GroupFormFrame,
  useGroupSaved,
  type GroupFormProps,
} from './group-drawer.tsx';

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
  const { mutateAsync } = useSaveRoutingGroup(row?.id);
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
  const form = useContractForm({
    initial: {
      title: row?.title ?? '',
      routes: (row?.routes ?? [{ type: 'sms' as const, ChannelId: '' }]).map((route, key): Row => ({
        ...route,
        key,
      })),
    },
    isEdit: !!row,
    schema: routingGroups.create.body,
    toBody: ({ title, routes }) => ({
      title: title.trim(),
      routes: routes.map(({ type, ChannelId }) => ({ type, ChannelId })),
    }),
    submit: mutateAsync,
    onDone: useGroupSaved(onClose),
  });
  const rows = form.values.routes;
  const setRows = (routes: Row[]) => form.set({ routes });
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
    <GroupFormFrame noun="routingGroups" isNew={!row} form={form} onClose={onClose}>
      <Text size="sm" c="dimmed">
        {t('accountGroups:routesHint')}
      </Text>
      <SortableRows
        rows={rows}
        keyOf={({ key }) => key}
        nameOf={(_, i) => t('accountGroups:route', { number: i + 1 })}
        onChange={setRows}
      >
        {(one, i, handle) => (
          <Fieldset legend={t('accountGroups:route', { number: i + 1 })}>
            <Stack gap="xs">
              <Group grow wrap="nowrap" align="flex-start">
                <NativeSelect
                  {...form.field(`routes.${i}.type`)}
                  label={t('accountGroups:type')}
                  onChange={(event) => {
                    const type = event.currentTarget.value as SendingType;
                    setRows(rows.with(i, { ...one, type, ChannelId: '' }));
                  }}
                  data={SendingType.options.map((value) => ({
                    value,
                    label: t(`common:type.${value}`),
                  }))}
                />
                <NativeSelect
                  {...form.field(`routes.${i}.ChannelId`)}
                  label={t('accountGroups:channel')}
                  required
                  data={channelsOf(one)}
                />
              </Group>
              {rows.length > 1 && (
                <Group gap={4} justify="flex-end">
                  {handle}
                  <IconAction
                    icon={IconTrash}
                    label={t('accountGroups:removeRoute', { number: i + 1 })}
                    onClick={() => setRows(rows.filter((_, at) => at !== i))}
                  />
                </Group>
              )}
            </Stack>
          </Fieldset>
        )}
      </SortableRows>
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={rows.length >= MAX_ROUTES}
          onClick={() =>
            setRows([
              ...rows,
              { key: Math.max(...rows.map(({ key }) => key)) + 1, type: 'sms', ChannelId: '' },
            ])
          }
        >
          {t('accountGroups:addRoute')}
        </Button>
      </div>
    </GroupFormFrame>
  );
}
