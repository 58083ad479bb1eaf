import { routes, SendingType, type Route } from '@heliograph/contract';
import { RECEIPT_SECONDS, SHARE_TOTAL, TRAFFIC_KINDS } from '@heliograph/domain';
import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  NativeSelect,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { ownerSource } from '../../core/owners.ts';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { findQuery } from '../../list/state/use-list.ts';
import { AsyncMultiSelect } from '../../ui/async-multi-select.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconPlus, IconTrash } from '../../ui/icons.ts';
import { NumberField } from '../../ui/number-field.tsx';
import { RowDialog } from '../../ui/row-dialog.tsx';
import { SortableRows } from '../../ui/sortable-rows.tsx';
import { groupSource } from '../account-groups/account-groups.api.ts';
import { channelSpec } from '../channels/channels.api.ts';
import { routeQuery, useSaveRoute } from './routes.api.ts';
import { ShareShifts } from '../share-shifts/share-shifts-section.tsx';

export function RouteDrawer() {
  const { t } = useTranslation();
  const can = useCan();
  return (
    <RowDialog
      query={routeQuery}
      mayCreate={can('routes.create')}
      size={600}
      createTitle={t('routes:createTitle')}
      title={(row) => row?.title ?? t('routes:detail')}
      failed={t('routes:detailFailed')}
    >
      {(row, onClose) => <RouteForm key={row?.id ?? 'new'} row={row} onClose={onClose} />}
    </RowDialog>
  );
}

interface ChannelLine {
  key: number;
  ChannelId: string;
  weight: number | null;
}

const initialOf = (row: Route | null) => ({
  title: row?.title ?? '',
  isActive: row?.isActive ?? true,
  priority: row?.priority ?? (0 as number | null),
  types: row?.types ?? ([] as SendingType[]),
  kinds: row?.kinds ?? ([] as Route['kinds']),
  countries: row?.countries ?? ([] as string[]),
  operators: row?.operators ?? ([] as string[]),
  senders: row?.senders ?? ([] as string[]),
  OwnerIds: row?.OwnerIds ?? ([] as string[]),
  GroupIds: row?.GroupIds ?? ([] as string[]),
  channels: (row?.channels ?? [{ ChannelId: '', weight: 1 }]).map((channel, key): ChannelLine => ({
    ...channel,
    key,
  })),
  isWeighted: row?.isWeighted ?? false,
  failsOver: row ? row.failoverAfter !== null : true,
  failoverAfter: row?.failoverAfter ?? (60 as number | null),
  shiftsShares: row?.shiftsShares ?? false,
  lateAfter: String(row?.lateAfter ?? 300),
});

const toBody = ({
  failsOver,
  failoverAfter,
  lateAfter,
  ...values
}: ReturnType<typeof initialOf>) => ({
  ...values,
  title: values.title.trim(),
  priority: values.priority ?? 0,
  countries: values.countries.map((code) => code.toUpperCase()),
  channels: values.channels.map(({ ChannelId, weight }) => ({ ChannelId, weight: weight ?? 0 })),
  failoverAfter: failsOver ? (failoverAfter ?? 0) : null,
  lateAfter: Number(lateAfter) as Route['lateAfter'],
});

function RouteForm({ row, onClose }: { row: Route | null; onClose: () => void }) {
  const { t } = useTranslation();
  const can = useCan();
  const { mutateAsync } = useSaveRoute(row?.id);
  const form = useContractForm({
    initial: initialOf(row),
    isEdit: !!row,
    schema: routes.create.body,
    toBody,
    submit: mutateAsync,
    onDone(_, { title }) {
      showSuccess(t('routes:saved', { title: title.trim() }));
      onClose();
    },
  });
  const { values } = form;
  const formats = useFormats();
  const tags = { splitChars: [',', ';', '\n'], acceptValueOnBlur: true, autoComplete: 'off' };
  return (
    <ContractForm
      form={form}
      readOnly={!can(row ? 'routes.update' : 'routes.create')}
      footer={
        <FormFooter
          form={form}
          submit={t(row ? 'routes:save' : 'routes:createSubmit')}
          onCancel={onClose}
        />
      }
    >
      <Group grow align="flex-start">
        <TextInput
          {...form.text('title')}
          label={t('routes:name')}
          required
          data-autofocus={!row || undefined}
          autoComplete="off"
        />
        <NumberField
          {...form.field('priority')}
          label={t('routes:priority')}
          description={t('routes:priorityHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          scale={0}
          min={-1_000_000}
          value={values.priority}
          onChange={(priority) => form.set({ priority })}
        />
      </Group>
      <Checkbox {...form.field('isActive', { type: 'checkbox' })} label={t('routes:isActive')} />
      <Fieldset legend={t('routes:conditions')}>
        <Stack>
          <Checkbox.Group {...form.field('types')} label={t('routes:types')}>
            <SimpleGrid cols={{ base: 2, xs: 4 }} spacing="xs" mt="xs">
              {SendingType.options.map((value) => (
                <Checkbox key={value} value={value} label={t(`common:type.${value}`)} />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
          <Checkbox.Group {...form.field('kinds')} label={t('routes:kinds')}>
            <Group gap="md" mt="xs">
              {TRAFFIC_KINDS.map((value) => (
                <Checkbox key={value} value={value} label={t(`routes:kind.${value}`)} />
              ))}
            </Group>
          </Checkbox.Group>
          <Group grow align="flex-start">
            <TagsInput
              {...form.field('countries')}
              {...tags}
              label={t('routes:countries')}
              description={t('routes:countriesHint')}
            />
            <TagsInput
              {...form.field('operators')}
              {...tags}
              label={t('routes:operators')}
              description={t('routes:operatorsHint')}
            />
          </Group>
          <TagsInput {...form.field('senders')} {...tags} label={t('routes:senders')} />
          <AsyncMultiSelect
            {...form.field('OwnerIds')}
            value={values.OwnerIds}
            label={t('routes:owners')}
            source={ownerSource()}
            selected={(row?.Owners ?? []).map(({ id, username }) => ({
              value: id,
              label: username,
            }))}
          />
          {can('routingGroups.get') && (
            <AsyncMultiSelect
              {...form.field('GroupIds')}
              value={values.GroupIds}
              label={t('routes:groups')}
              source={groupSource('routingGroups')}
              selected={(row?.Groups ?? []).map(({ id, title }) => ({ value: id, label: title }))}
            />
          )}
        </Stack>
      </Fieldset>
      <ChannelLines
        lines={values.channels}
        isWeighted={values.isWeighted}
        shares={row?.shares ?? []}
        field={form.field}
        onChange={(channels) => form.set({ channels })}
      />
      <Checkbox
        {...form.field('isWeighted', { type: 'checkbox' })}
        label={t('routes:isWeighted')}
        description={t('routes:isWeightedHint')}
      />
      {values.isWeighted && (
        <Checkbox
          {...form.field('shiftsShares', { type: 'checkbox' })}
          label={t('routes:shiftsShares')}
          description={t('routes:shiftsSharesHint')}
        />
      )}
      {values.isWeighted && values.shiftsShares && (
        <NativeSelect
          {...form.field('lateAfter')}
          label={t('routes:lateAfter')}
          data={RECEIPT_SECONDS.map((seconds) => ({
            value: String(seconds),
            label: formats.seconds(seconds),
          }))}
        />
      )}
      <Checkbox {...form.field('failsOver', { type: 'checkbox' })} label={t('routes:failsOver')} />
      {values.failsOver && (
        <NumberField
          {...form.field('failoverAfter')}
          label={t('routes:failoverAfter')}
          scale={0}
          min={0}
          max={86_400}
          value={values.failoverAfter}
          onChange={(failoverAfter) => form.set({ failoverAfter })}
        />
      )}
      {row && row.shares.length > 0 && <ShareShifts of={{ RouteId: row.id }} />}
    </ContractForm>
  );
}

interface ChannelLinesProps {
  lines: ChannelLine[];
  isWeighted: boolean;
  /** What the channels of the stored route get now. */
  shares: Route['shares'];
  field: (path: string) => object;
  onChange: (lines: ChannelLine[]) => void;
}

/** The channels in their order. */
function ChannelLines({ lines, isWeighted, shares, field, onChange }: ChannelLinesProps) {
  const { t } = useTranslation();
  const mayReadChannels = useCan()('channels.get', 'managerUp');
  const { data } = useQuery({
    ...findQuery(channelSpec, {
      limit: 200,
      order: [{ field: 'name', direction: 'asc' }],
      filter: {},
    }),
    enabled: mayReadChannels,
  });
  const known = (data?.data ?? []).map(({ name, isActive }) => ({
    value: name,
    label: isActive ? name : t('routes:channelOff', { name }),
  }));
  const optionsOf = ({ ChannelId }: ChannelLine) => [
    { value: '', label: t('routes:choose') },
    ...known.filter(
      ({ value }) => value === ChannelId || !lines.some((line) => line.ChannelId === value),
    ),
    // Removed since, or without the right to read channels.
    ...(!ChannelId || known.some(({ value }) => value === ChannelId)
      ? []
      : [{ value: ChannelId, label: ChannelId }]),
  ];
  return (
    <Fieldset legend={t('routes:channels')}>
      <Stack gap="xs">
        <SortableRows
          rows={lines}
          keyOf={({ key }) => key}
          nameOf={(_, i) => t('routes:channel', { number: i + 1 })}
          onChange={onChange}
        >
          {(line, i, handle) => (
            <>
              <Group wrap="nowrap" align="flex-end" gap="xs">
                <NativeSelect
                  {...field(`channels.${i}.ChannelId`)}
                  label={t('routes:channel', { number: i + 1 })}
                  required
                  data={optionsOf(line)}
                  style={{ flex: 1 }}
                />
                {isWeighted && (
                  <NumberField
                    {...field(`channels.${i}.weight`)}
                    label={t('routes:weight')}
                    scale={0}
                    min={0}
                    max={1000}
                    w={110}
                    value={line.weight}
                    onChange={(weight) => onChange(lines.with(i, { ...line, weight }))}
                  />
                )}
                {lines.length > 1 && (
                  <Group gap={4} wrap="nowrap" pb={4}>
                    {handle}
                    <IconAction
                      icon={IconTrash}
                      label={t('routes:removeChannel', { number: i + 1 })}
                      onClick={() => onChange(lines.filter((_, at) => at !== i))}
                    />
                  </Group>
                )}
              </Group>
              <ShareNow share={shares.find((one) => one.ChannelId === line.ChannelId)?.share} />
            </>
          )}
        </SortableRows>
        <div>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={lines.length >= 20}
            onClick={() =>
              onChange([
                ...lines,
                { key: Math.max(...lines.map(({ key }) => key)) + 1, ChannelId: '', weight: 1 },
              ])
            }
          >
            {t('routes:addChannel')}
          </Button>
        </div>
      </Stack>
    </Fieldset>
  );
}

/** What a channel gets now of the messages of a route that shifts shares. */
function ShareNow({ share }: { share: number | undefined }) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (share === undefined) return null;
  return (
    <Text size="sm" c="dimmed" mt={4}>
      {t('routes:shareNow', { share: formats.percent(share / SHARE_TOTAL) })}
    </Text>
  );
}
