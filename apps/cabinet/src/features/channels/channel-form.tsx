import { SendingType, type Channel, type ChannelDriver } from '@heliograph/contract';
import {
  Alert,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { showSuccess } from '../../core/toast.tsx';
import { useFormErrors } from '../../core/use-form-errors.ts';
import { useKeepOpen } from '../../core/forms/dialog-hold.ts';
import { isMoved, toOptions, valuesOf, type OptionValues } from './channel-options.ts';
import { useCreateChannel, useUpdateChannel } from './channels.api.ts';
import { OptionField } from './option-field.tsx';

interface ChannelFormProps {
  row: Channel | null;
  drivers: ChannelDriver[];
  onClose: () => void;
}

/** The driver that most channels of an installation have. */
const USUAL = 'http';

/** Makes a channel, or changes one: its name and its driver stay as they are. */
export function ChannelForm({ row, drivers, onClose }: ChannelFormProps) {
  const { t } = useTranslation();
  const split = useFormErrors();
  const create = useCreateChannel();
  const update = useUpdateChannel(row?.name ?? '');
  const [name, setName] = useState(row?.name ?? '');
  const [driver, setDriver] = useState(
    row?.driver ?? (drivers.some((d) => d.name === USUAL) ? USUAL : (drivers[0]?.name ?? '')),
  );
  const [types, setTypes] = useState<SendingType[]>(row?.types ?? []);
  const [priority, setPriority] = useState(String(row?.priority ?? 10));
  const [isActive, setActive] = useState(row?.isActive ?? false);
  // A channel whose driver this build does not have keeps its options.
  const defs = drivers.find((d) => d.name === driver)?.options ?? [];
  const [values, setValues] = useState<OptionValues>(() => valuesOf(defs, row ?? undefined));
  const isPending = create.isPending || update.isPending;
  useKeepOpen(isPending);
  const error = create.error ?? update.error;
  const fields = ['name', 'driver', 'types', 'priority', ...defs.map((d) => `options.${d.name}`)];
  const { byField, rest } = error ? split(error, fields) : { byField: {}, rest: null };
  const hasMoved = !!row && isMoved(defs, values, row);
  const isReady = !!name.trim() && types.length > 0;

  const chooseDriver = (chosen: string) => {
    setDriver(chosen);
    setValues(valuesOf(drivers.find((d) => d.name === chosen)?.options ?? []));
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || isPending) return;
    const onSuccess = () => {
      showSuccess(t('channels:saved', { name: name.trim() }));
      onClose();
    };
    const settings = { types, isActive, priority: Number(priority) };
    const options = toOptions(defs, values);
    if (row) update.mutate({ ...settings, ...(defs.length > 0 && { options }) }, { onSuccess });
    else create.mutate({ ...settings, name: name.trim(), driver, options }, { onSuccess });
  };
  const field = (def: (typeof defs)[number]) => (
    <OptionField
      key={def.name}
      option={def}
      value={values[def.name] ?? ''}
      onChange={(value) => setValues((now) => ({ ...now, [def.name]: value }))}
      isKept={!!row?.secrets.includes(def.name) && !hasMoved}
      error={byField[`options.${def.name}`]}
    />
  );

  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        {rest && (
          <Alert color="red" role="alert">
            {rest}
          </Alert>
        )}
        <SimpleGrid cols={{ base: 1, xs: 2 }} style={{ alignItems: 'end' }}>
          <TextInput
            name="name"
            label={t('channels:name')}
            description={t(row ? 'channels:nameFixed' : 'channels:nameHint')}
            required={!row}
            disabled={!!row}
            maxLength={40}
            data-autofocus={!row || undefined}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={name}
            onChange={(event) => setName(event.currentTarget.value.toLowerCase())}
            error={byField.name}
          />
          <NativeSelect
            label={t('channels:driver')}
            description={t('channels:driverHint')}
            disabled={!!row}
            value={driver}
            onChange={(event) => chooseDriver(event.currentTarget.value)}
            data={row ? [row.driver] : drivers.map((d) => d.name)}
            error={byField.driver}
          />
        </SimpleGrid>
        <Checkbox.Group
          label={t('channels:types')}
          required
          value={types}
          onChange={(chosen) => setTypes(chosen as SendingType[])}
          error={byField.types}
        >
          <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="xs" mt="xs">
            {SendingType.options.map((value) => (
              <Checkbox key={value} value={value} label={t(`common:type.${value}`)} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
        <TextInput
          label={t('channels:priority')}
          description={t('channels:priorityHint')}
          inputMode="numeric"
          autoComplete="off"
          value={priority}
          onChange={(event) => setPriority(event.currentTarget.value)}
          error={byField.priority}
        />
        {hasMoved && (
          <Alert color="yellow" role="status">
            {t('channels:moved')}
          </Alert>
        )}
        {defs.filter((d) => d.isRequired).map(field)}
        {defs.some((d) => !d.isRequired) && (
          <details>
            <Text component="summary" size="sm" fw={600} style={{ cursor: 'pointer' }}>
              {t('channels:moreOptions')}
            </Text>
            <SimpleGrid cols={{ base: 1, xs: 2 }} mt="md">
              {defs.filter((d) => !d.isRequired).map(field)}
            </SimpleGrid>
          </details>
        )}
        <Checkbox
          label={t('channels:active')}
          description={t('channels:activeHint')}
          checked={isActive}
          onChange={(event) => setActive(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={isPending} disabled={!isReady}>
            {t(row ? 'channels:save' : 'channels:create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
