import { MAX_OTP_CHANNELS, type OtpWidget } from '@heliograph/contract';
import { Alert, Anchor, Button, Group, NativeSelect, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { findQuery } from '../../list/state/use-list.ts';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconPlus, IconTrash } from '../../ui/icons.ts';
import { SortableRows } from '../../ui/sortable-rows.tsx';
import { otpChannelSpec, useSetChannels } from './widgets.api.ts';

interface WidgetChannelsProps {
  row: OtpWidget;
  readOnly: boolean;
}

interface ChannelOption {
  id: string;
  label: string;
}

const MOST = 100;

/** The channels of a widget in the order in which they are tried. */
export function WidgetChannels({ row, readOnly }: WidgetChannelsProps) {
  const { t } = useTranslation();
  const mayRead = useCan()('otp-settings.get');
  const { data } = useQuery({
    ...findQuery(otpChannelSpec, {
      limit: MOST,
      order: [{ field: 'name', direction: 'asc' }],
      filter: { OwnerId: row.ownerId },
    }),
    enabled: mayRead,
  });
  if (!mayRead)
    return (
      <Alert color="orange" variant="light">
        {t('widgets:order.noPermission')}
      </Alert>
    );
  if (!data) return null;
  const options = data.data.map(({ id, name, channelType }) => ({
    id,
    label: t('widgets:order.option', { name, type: t(`common:type.${channelType}`) }),
  }));
  if (!options.length)
    return (
      <Alert color="orange" variant="light">
        {t('widgets:order.noChannels')}{' '}
        <Anchor component={Link} to="/widgets/channels?create=true" inherit>
          {t('widgets:channels.create')}
        </Anchor>
      </Alert>
    );
  return <ChannelOrder row={row} readOnly={readOnly} options={options} />;
}

function ChannelOrder({
  row,
  readOnly,
  options,
}: WidgetChannelsProps & { options: ChannelOption[] }) {
  const { t } = useTranslation();
  const hint = useId();
  const save = useSetChannels(row.id);
  const stored = row.otpWidgetChannelSettings.map((one) => one.otpChannelSettingsId);
  const form = useContractForm({
    initial: { channels: stored.length ? stored : [options[0]!.id] },
    // A new widget has nothing stored: its proposed channel can be saved as it is.
    isEdit: stored.length > 0,
    names: { otpWidgetChannelSettings: 'channels' },
    submit: ({ channels }) => save.mutateAsync(channels),
    onDone: () => showSuccess(t('widgets:order.saved', { name: row.name })),
  });
  const { channels } = form.values;
  const set = (next: string[]) => form.set({ channels: next });
  const labelOf = (id: string) => options.find((option) => option.id === id)?.label ?? id;
  const unused = options.filter(({ id }) => !channels.includes(id));
  return (
    <ContractForm
      form={form}
      label={t('widgets:order.label')}
      readOnly={readOnly}
      submit={t('widgets:order.save')}
    >
      <Text size="sm" c="dimmed" id={hint}>
        {t('widgets:order.hint')}
      </Text>
      <Stack gap="xs" data-path="channels" role="group" aria-describedby={hint}>
        <SortableRows rows={channels} keyOf={(id) => id} nameOf={labelOf} onChange={set}>
          {(id, at, handle) => (
            <Paper withBorder p="xs">
              <Group gap="sm" wrap="nowrap">
                {handle}
                <NativeSelect
                  aria-label={t('widgets:order.row', { number: at + 1 })}
                  value={id}
                  onChange={(event) => set(channels.with(at, event.currentTarget.value))}
                  data={options.map((option) => ({
                    value: option.id,
                    label: option.label,
                    disabled: option.id !== id && channels.includes(option.id),
                  }))}
                  style={{ flex: 1, minWidth: 0 }}
                />
                {channels.length > 1 && (
                  <IconAction
                    icon={IconTrash}
                    label={t('widgets:order.remove', { name: labelOf(id) })}
                    onClick={() => set(channels.filter((other) => other !== id))}
                  />
                )}
              </Group>
            </Paper>
          )}
        </SortableRows>
      </Stack>
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={!unused.length || channels.length >= MAX_OTP_CHANNELS}
          onClick={() => set([...channels, unused[0]!.id])}
        >
          {t('widgets:order.add')}
        </Button>
      </div>
    </ContractForm>
  );
}
