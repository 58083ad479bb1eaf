import {
  channels,
  SendingType,
  type Channel,
  type ChannelDriver,
  type ChannelOption,
} from '@heliograph/contract';
import {
  Alert,
  Checkbox,
  Fieldset,
  NativeSelect,
  SimpleGrid,
  Text,
  TextInput,
} from '@mantine/core';
import { FieldGrid } from '../../ui/field-grid.tsx';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { showSuccess } from '../../core/toast.tsx';
import { LimitFields, limitOf, limitsOf, linesOf, shownLimit } from './channel-limits.tsx';
import { isMoved, toOptions, valuesOf } from './channel-options.ts';
import { ChannelRehearsal } from './channel-rehearsal.tsx';
import { useCreateChannel, useUpdateChannel } from './channels.api.ts';
import { OptionField } from './option-field.tsx';

interface ChannelFormProps {
  row: Channel | null;
  drivers: ChannelDriver[];
  onClose: () => void;
}

/** The driver that most channels of an installation have. */
const USUAL = 'http';

/** What goes with the secrets. */
const ACCESS = ['username', 'callbackUrl'];

/** What most channels need; texts of several lines need the width as well. */
const isShown = ({ name, kind, isRequired, isSecret }: ChannelOption) =>
  isRequired || isSecret || kind === 'json' || kind === 'lines' || ACCESS.includes(name);

/** Makes a channel, or changes one: its name and its driver stay as they are. */
export function ChannelForm({ row, drivers, onClose }: ChannelFormProps) {
  const { t } = useTranslation();
  const [chosenPreset, setPreset] = useState('');
  const create = useCreateChannel();
  const update = useUpdateChannel(row?.name ?? '');
  // A channel whose driver this build does not have keeps its options.
  const definitionOf = (driver: string) => drivers.find((d) => d.name === driver);
  const optionsOf = (driver: string) => definitionOf(driver)?.options ?? [];
  /** What the driver carries, and what the channel has anyway. */
  const typesOf = (driver: string, also: SendingType[] = []) => {
    const carried = definitionOf(driver)?.types ?? SendingType.options;
    return SendingType.options.filter((type) => carried.includes(type) || also.includes(type));
  };
  const usual = drivers.some((d) => d.name === USUAL) ? USUAL : (drivers[0]?.name ?? '');
  const driver = row?.driver ?? usual;
  const form = useContractForm({
    initial: {
      name: row?.name ?? '',
      driver,
      types: row?.types ?? ([] as SendingType[]),
      priority: String(row?.priority ?? 10),
      needsRegistration: row?.needsRegistration ?? false,
      rate: shownLimit(row?.rate),
      burst: shownLimit(row?.burst),
      perDay: shownLimit(row?.perDay),
      warmUp: shownLimit(row?.warmUp),
      limits: linesOf(row?.limits ?? []),
      isActive: row?.isActive ?? false,
      options: valuesOf(optionsOf(driver), row ?? undefined),
    },
    isEdit: !!row,
    schema: row ? channels.update.body : channels.create.body,
    toBody({ name, driver, options, priority, rate, burst, perDay, warmUp, limits, ...others }) {
      const defs = optionsOf(driver);
      return {
        ...others,
        priority: Number(priority),
        rate: limitOf(rate),
        burst: limitOf(burst),
        perDay: limitOf(perDay),
        warmUp: limitOf(warmUp),
        limits: limitsOf(limits),
        ...((!row || defs.length > 0) && { options: toOptions(defs, options) }),
        ...(!row && { name: name.trim(), driver }),
      };
    },
    submit: ({ name, driver, ...settings }) =>
      name !== undefined && driver
        ? create.mutateAsync({ ...settings, name, driver })
        : update.mutateAsync(settings),
    onDone(_, { name }) {
      showSuccess(t('channels:saved', { name: name.trim() }));
      onClose();
    },
  });
  const { values } = form;
  const defs = optionsOf(values.driver);
  const hasMoved = !!row && isMoved(defs, values.options, row);
  const field = (def: (typeof defs)[number]) => (
    <OptionField
      key={def.name}
      driver={values.driver}
      option={def}
      field={form.field(`options.${def.name}`)}
      value={values.options[def.name] ?? ''}
      isKept={!!row?.secrets.includes(def.name) && !hasMoved}
    />
  );
  const { presets = [], canRehearse = false } = definitionOf(values.driver) ?? {};
  const takePreset = (name: string) => {
    setPreset(name);
    const preset = presets.find((one) => one.name === name);
    if (!preset) return;
    const options = valuesOf(defs, { options: preset.options as Channel['options'] });
    form.set({ types: [...preset.types], options });
  };
  const submit = t(row ? 'channels:save' : 'channels:create');
  return (
    <ContractForm form={form} submit={submit} onCancel={onClose}>
      <FieldGrid>
        <TextInput
          {...form.field('name')}
          label={t('channels:name')}
          description={t(row ? 'channels:nameFixed' : 'channels:nameHint')}
          required={!row}
          disabled={!!row}
          maxLength={40}
          data-autofocus={!row || undefined}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => form.set({ name: event.currentTarget.value.toLowerCase() })}
        />
        <NativeSelect
          {...form.field('driver')}
          label={t('channels:driver')}
          disabled={!!row}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            setPreset('');
            const carried = typesOf(chosen);
            form.set({
              driver: chosen,
              types: values.types.filter((type) => carried.includes(type)),
              options: valuesOf(optionsOf(chosen)),
            });
          }}
          data={(row ? [row.driver] : drivers.map(({ name }) => name)).map((value) => ({
            value,
            label: t('common:labelled', { label: value, value: t(`channels:about.${value}`) }),
          }))}
        />
      </FieldGrid>
      {!row && presets.length > 0 && (
        <NativeSelect
          label={t('channels:preset')}
          description={t('channels:presetHint')}
          value={chosenPreset}
          onChange={(event) => takePreset(event.currentTarget.value)}
          data={[
            { value: '', label: t('channels:presetNone') },
            ...presets.map(({ name, title }) => ({ value: name, label: title })),
          ]}
        />
      )}
      <Checkbox.Group {...form.field('types')} label={t('channels:types')} required>
        <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="xs" verticalSpacing="sm" mt="xs">
          {typesOf(values.driver, row?.types).map((value) => (
            <Checkbox key={value} value={value} label={t(`common:type.${value}`)} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      <TextInput
        {...form.field('priority')}
        label={t('channels:priority')}
        description={t('channels:priorityHint')}
        inputMode="numeric"
        autoComplete="off"
      />
      <Checkbox
        {...form.field('needsRegistration', { type: 'checkbox' })}
        label={t('channels:needsRegistration')}
        description={t('channels:needsRegistrationHint')}
      />
      <Fieldset legend={t('channels:limits')}>
        <Text size="sm" c="dimmed" mb="sm">
          {t('channels:limitsHint')}
        </Text>
        <FieldGrid>
          {(['rate', 'burst', 'perDay', 'warmUp'] as const).map((name) => (
            <TextInput
              key={name}
              {...form.field(name)}
              label={t(`channels:limit.${name}`)}
              inputMode="decimal"
              autoComplete="off"
            />
          ))}
        </FieldGrid>
      </Fieldset>
      <LimitFields
        lines={values.limits}
        onChange={(limits) => form.set({ limits })}
        field={form.field}
      />
      {hasMoved && (
        <Alert color="yellow" role="status">
          {t('channels:moved')}
        </Alert>
      )}
      {defs.filter(isShown).map(field)}
      {canRehearse && (
        <ChannelRehearsal
          driver={values.driver}
          type={values.types[0] ?? 'sms'}
          options={() => toOptions(defs, values.options)}
        />
      )}
      {!defs.every(isShown) && (
        <details>
          <Text component="summary" size="sm" fw={600} style={{ cursor: 'pointer' }}>
            {t('channels:moreOptions')}
          </Text>
          <SimpleGrid cols={{ base: 1, xs: 2 }} mt="md">
            {defs.filter((d) => !isShown(d)).map(field)}
          </SimpleGrid>
        </details>
      )}
      <Checkbox
        {...form.field('isActive', { type: 'checkbox' })}
        label={t('channels:active')}
        description={t('channels:activeHint')}
      />
    </ContractForm>
  );
}
