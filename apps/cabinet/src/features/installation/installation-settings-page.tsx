import {
  definitionOf,
  InstallationSettingsInput,
  SETTING_GROUPS,
  SETTING_NAMES,
  SendingType,
  type InstallationSetting,
  type SettingGroup,
  type SettingName,
  type SettingValue,
} from '@heliograph/contract';
import {
  Checkbox,
  NativeSelect,
  Paper,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useSettings } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SecretInput } from '../../ui/secret-input.tsx';
import { InstallationTabs } from './installation-tabs.tsx';
import { installationSettingsQuery, useChangeSettings } from './installation.api.ts';
import { MailTestPanel } from './mail-test-panel.tsx';
import { QuietCountriesField, type QuietCountriesProps } from './quiet-countries-field.tsx';
import { HINTED } from './setting-hints.ts';

/** `/installation/settings`: what administrators change without a restart. */
export function InstallationSettingsPage() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(installationSettingsQuery);
  return (
    <>
      <PageHeader title={t('installationSettings:title')} />
      <InstallationTabs />
      {!data && error ? (
        <ErrorCard
          title={t('installationSettings:failed')}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : !data ? (
        <DetailsSkeleton />
      ) : (
        <Stack gap="md" maw={1000}>
          <Text size="sm">{t('installationSettings:text')}</Text>
          {SETTING_GROUPS.map((group) => (
            <Paper
              key={group}
              withBorder
              p="md"
              component="section"
              aria-labelledby={`settings-${group}`}
            >
              <Title order={2} size="h5" mb="sm" id={`settings-${group}`}>
                {t(`installationSettings:group.${group}`)}
              </Title>
              <GroupForm group={group} settings={data.data} />
              {group === 'mail' && <MailTestPanel />}
            </Paper>
          ))}
        </Stack>
      )}
    </>
  );
}

type Values = Partial<Record<SettingName, SettingValue | null>>;

const isList = (name: SettingName): boolean => Array.isArray(definitionOf(name).default);
const isSame = (one: unknown, other: unknown): boolean =>
  Array.isArray(one) && Array.isArray(other)
    ? JSON.stringify(one.toSorted()) === JSON.stringify(other.toSorted())
    : one === other;
const isNumber = (name: SettingName): boolean => typeof definitionOf(name).default === 'number';
/** What an input shows: a secret is never shown, and a text that is absent is an empty one. */
const shownOf = ({ name, value, isSecret }: InstallationSetting): SettingValue | null =>
  isSecret ? '' : (value ?? (isNumber(name) ? null : ''));
const valuesOf = (settings: readonly InstallationSetting[]): Values =>
  Object.fromEntries(settings.map((one) => [one.name, shownOf(one)]));

/** Those that differ: an empty one is as by default, but a list that is empty; an empty secret stays. */
function changesOf(values: Values, settings: readonly InstallationSetting[]) {
  const changed = settings.filter((one) => !isSame(values[one.name], shownOf(one)));
  return Object.fromEntries(
    changed.map(({ name, default: otherwise }) => {
      const value = values[name];
      const isDefault = value === '' || (isList(name) && isSame(value, otherwise));
      return [name, isDefault ? null : value];
    }),
  ) as InstallationSettingsInput;
}

interface GroupFormProps {
  group: SettingGroup;
  settings: readonly InstallationSetting[];
}

function GroupForm({ group, settings: all }: GroupFormProps) {
  const { t } = useTranslation();
  const { mutateAsync } = useChangeSettings();
  const settings = SETTING_NAMES.filter((name) => definitionOf(name).group === group).map((name) =>
    all.find((one) => one.name === name)!,
  );
  const form = useContractForm({
    initial: valuesOf(settings),
    schema: InstallationSettingsInput,
    isEdit: true,
    toBody: (values: Values) => changesOf(values, settings),
    submit: mutateAsync,
    onDone({ data }) {
      form.restart(valuesOf(data.filter(({ name }) => definitionOf(name).group === group)));
      showSuccess(t('installationSettings:saved'));
    },
  });
  return (
    <ContractForm
      form={form}
      label={t(`installationSettings:group.${group}`)}
      submit={t('installationSettings:save')}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        {settings.map((setting) => (
          <Field key={setting.name} setting={setting} form={form} />
        ))}
      </SimpleGrid>
    </ContractForm>
  );
}

const CHOICES: Partial<Record<SettingName, readonly string[]>> = {
  REGISTRATION: ['open', 'closed'],
  MAIL_TRANSPORT: ['off', 'smtp'],
};
const SCALES: Partial<Record<SettingName, number>> = {
  REGISTRATION_CREDIT: 4,
  REFERRAL_BONUS_PERCENT: 2,
};
interface FieldProps {
  setting: InstallationSetting;
  form: ReturnType<typeof useContractForm<Values>>;
}

function Field({ setting, form }: FieldProps) {
  const { t } = useTranslation();
  const { name, lockedBy, isSecret, isSet } = setting;
  const description = useDescription(setting);
  const common = {
    label: t(`installationSettings:label.${name}`),
    description,
    disabled: lockedBy !== null,
  };
  const unit = useUnit(name);
  if (typeof definitionOf(name).default === 'boolean')
    return <Switch {...form.field(name, { type: 'checkbox' })} {...common} />;
  if (name === 'COUNTRY_QUIET_HOURS')
    return (
      <QuietCountriesField
        key={setting.changedAt}
        {...(form.field(name) as Pick<QuietCountriesProps, 'value' | 'onChange' | 'error'>)}
        {...common}
      />
    );
  if (isList(name))
    return (
      <Checkbox.Group {...form.field(name)} {...common}>
        <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="xs" mt="xs">
          {SendingType.options.map((value) => (
            <Checkbox
              key={value}
              value={value}
              label={t(`common:type.${value}`)}
              disabled={common.disabled}
            />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
    );
  if (CHOICES[name])
    return (
      <NativeSelect
        {...form.field(name)}
        {...common}
        data={[...new Set([...CHOICES[name], String(setting.value)])].map((value) => ({
          value,
          label: t(`installationSettings:choice.${value}`),
        }))}
      />
    );
  if (isNumber(name))
    return (
      <NumberField
        {...form.field(name)}
        {...common}
        value={form.values[name] as number | null}
        scale={SCALES[name] ?? 0}
        unit={unit}
        placeholder={String(setting.default)}
      />
    );
  if (isSecret)
    return (
      <SecretInput
        {...form.text(name)}
        {...common}
        required={false}
        placeholder={isSet ? t('installationSettings:kept') : undefined}
        autoComplete="new-password"
      />
    );
  return (
    <TextInput
      {...form.text(name)}
      {...common}
      placeholder={name === 'SMTP_URL' ? 'smtps://name@mail.example.com' : undefined}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

/** What it means, and why it is so. */
function useDescription(setting: InstallationSetting): string {
  const { t } = useTranslation();
  const { dateTime } = useFormats();
  const { name, lockedBy, changedAt, changedBy } = setting;
  return [
    HINTED.includes(name) && t(`installationSettings:hint.${name}`),
    lockedBy && t('installationSettings:locked', { variable: lockedBy }),
    changedAt &&
      t('installationSettings:changed', {
        at: dateTime(changedAt),
        by: changedBy ?? t('installationSettings:somebody'),
      }),
    changedAt && defaultText(t, setting),
  ]
    .filter(Boolean)
    .join(' ');
}

function defaultText(t: TFunction, { name, default: otherwise }: InstallationSetting): string {
  if (otherwise === null) return '';
  if (typeof otherwise === 'object') {
    if (!otherwise.length) return '';
    return t('installationSettings:default', { value: t('installationSettings:choice.all') });
  }
  const value =
    typeof otherwise === 'boolean'
      ? t(`installationSettings:choice.${otherwise ? 'on' : 'off'}`)
      : CHOICES[name]
        ? t(`installationSettings:choice.${otherwise}`)
        : String(otherwise);
  return t('installationSettings:default', { value });
}

function useUnit(name: SettingName): string | undefined {
  const { t } = useTranslation();
  const { billings } = useSettings();
  if (name === 'REGISTRATION_CREDIT') return billings.currency;
  if (name === 'REFERRAL_BONUS_PERCENT') return '%';
  if (name === 'QUOTA_STORAGE_MB') return t('installationSettings:unit.megabytes');
  return name.endsWith('_DAYS') ? t('installationSettings:unit.days') : undefined;
}
