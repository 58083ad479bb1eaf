import { Alert, NativeSelect, Paper, Radio, Skeleton, Stack, Switch, Text } from '@mantine/core';
import type { SettingsUser } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { changeLocale, withTexts } from '../../core/i18n/i18n.ts';
import { LOCALE_NAMES, LOCALES, type Locale } from '../../core/i18n/locales.ts';
import { usePersonal } from '../../core/personal/use-personal.ts';
import { useMayOpen, useSettings } from '../../core/settings.ts';
import { browserZone } from '../../core/time-zone.ts';
import { useFormats } from '../../core/use-formats.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ZoneSelect } from '../../ui/zone-select.tsx';

// Below the fold, with forms and dialogs of its own. Its place keeps the footer there, too.
const NotificationSettingsSection = later(
  async () =>
    (await import('../notification-settings/notification-settings-section.tsx'))
      .NotificationSettingsSection,
  <Skeleton h={400} mt="xl" />,
);

const WebhooksSection = later(
  async () =>
    (await withTexts(['webhooks'], () => import('../webhooks/webhooks-section.tsx')))
      .WebhooksSection,
);

type Theme = NonNullable<SettingsUser['theme']>;
type Density = NonNullable<SettingsUser['density']>;

/** Language, time zone and appearance of the cabinet for one person. Each change is saved at once. */
export function SettingsUserPage() {
  const { t } = useTranslation();
  const { impersonator } = useSettings().session;
  const mayOpen = useMayOpen();
  return (
    <>
      <PageHeader title={t('settingsUser:title')} />
      <Stack maw={640} gap="md">
        {impersonator ? (
          <Alert color="blue" role="note">
            {t('settingsUser:impersonated')}
          </Alert>
        ) : (
          <Text c="dimmed">{t('settingsUser:about')}</Text>
        )}
        <Paper withBorder p="md">
          <Stack gap="lg">
            <Language />
            <TimeZone />
            <Appearance />
            <Habits />
          </Stack>
        </Paper>
      </Stack>
      {!impersonator && <NotificationSettingsSection />}
      {mayOpen('/settings/webhooks') && <WebhooksSection />}
    </>
  );
}

function Language() {
  const { t, i18n } = useTranslation();
  return (
    <NativeSelect
      label={t('settingsUser:language')}
      value={i18n.language}
      onChange={(event) => void changeLocale(event.currentTarget.value as Locale)}
      data={LOCALES.map((locale) => ({ value: locale, label: LOCALE_NAMES[locale] }))}
    />
  );
}

/** `''` is the browser's zone. */
function TimeZone() {
  const { t } = useTranslation();
  const formats = useFormats();
  const [zone = '', setZone] = usePersonal('timeZone');
  return (
    <ZoneSelect
      label={t('settingsUser:timeZone')}
      description={t('settingsUser:timeZoneHint', {
        time: formats.dateTimeShort(new Date().toISOString()),
      })}
      first={t('settingsUser:browserZone', { zone: browserZone() })}
      value={zone}
      onChange={(value) => setZone(value || null)}
    />
  );
}

function Appearance() {
  const { t } = useTranslation();
  const [theme = 'system', setTheme] = usePersonal('theme');
  const [density = 'comfortable', setDensity] = usePersonal('density');
  return (
    <>
      <Radio.Group
        label={t('settingsUser:theme')}
        value={theme}
        onChange={(value) => setTheme(value as Theme)}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="system" label={t('theme.auto')} />
          <Radio value="light" label={t('theme.light')} />
          <Radio value="dark" label={t('theme.dark')} />
        </Stack>
      </Radio.Group>
      <Radio.Group
        label={t('settingsUser:density')}
        value={density}
        onChange={(value) => setDensity(value as Density)}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="comfortable" label={t('settingsUser:comfortable')} />
          <Radio value="compact" label={t('settingsUser:compact')} />
        </Stack>
      </Radio.Group>
    </>
  );
}

function Habits() {
  const { t } = useTranslation();
  const [shortcuts = true, setShortcuts] = usePersonal('shortcuts');
  const [isHidden = false, setHidden] = usePersonal('hidePersonalData');
  return (
    <>
      <Switch
        label={t('settingsUser:shortcuts')}
        description={t('settingsUser:shortcutsHint')}
        checked={shortcuts}
        onChange={(event) => setShortcuts(event.currentTarget.checked)}
      />
      <Switch
        label={t('settingsUser:blur')}
        description={t('settingsUser:blurHint')}
        checked={isHidden}
        onChange={(event) => setHidden(event.currentTarget.checked)}
      />
    </>
  );
}
