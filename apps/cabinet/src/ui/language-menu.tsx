import { ActionIcon, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { changeLocale } from '../core/i18n/i18n.ts';
import { LOCALE_NAMES, LOCALES } from '../core/i18n/locales.ts';
import { IconLanguage } from './icons.ts';

/**
 * The languages, each in itself. The current one is disabled, but has the focus when the menu opens, so that the keyboard
 * begins there.
 */
export function LanguageMenu() {
  const { t, i18n } = useTranslation();
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('language')}>
          <IconLanguage size={22} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {LOCALES.map((locale) => {
          const isCurrent = locale === i18n.language || undefined;
          return (
            <Menu.Item
              key={locale}
              lang={locale}
              fw={isCurrent && 700}
              c={isCurrent && 'dimmed'}
              style={isCurrent && { cursor: 'default' }}
              aria-current={isCurrent}
              aria-disabled={isCurrent}
              data-autofocus={isCurrent}
              closeMenuOnClick={!isCurrent}
              onClick={() => isCurrent || void changeLocale(locale)}
            >
              {LOCALE_NAMES[locale]}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
