import { useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { changeLocale } from '../core/i18n/i18n.ts';
import { LOCALE_NAMES, LOCALES } from '../core/i18n/locales.ts';
import { toggleBlur } from '../core/privacy.ts';
import { useSession } from '../core/session/use-session.ts';
import { useCan, useMayOpen } from '../core/settings.ts';
import { useAccountTabs } from '../features/account/account-tabs.ts';
import type { PagePath } from '../core/access.ts';
import type { Command } from './commands.ts';
import { GENERAL_KEYS, placesOf } from './keymap.ts';
import { leave } from './leave.ts';
import { useNavigation } from './use-navigation.ts';

/** The palette's options before any input: pages, then actions. */
export function useCommands(onKeys: () => void): { pages: Command[]; actions: Command[] } {
  const { t, i18n } = useTranslation();
  const can = useCan();
  const mayOpen = useMayOpen();
  const { previous } = useSession();
  const navigate = useNavigate();
  const { toggleColorScheme } = useMantineColorScheme();
  const groups = useNavigation();
  const accountTabs = useAccountTabs();
  const letters = new Map(placesOf(groups, mayOpen).map(({ letter, to }) => [to, letter]));
  const page = (to: PagePath, label: string): Command => {
    const letter = letters.get(to);
    return { id: to, label, keys: letter && `g ${letter}`, run: () => void navigate(to) };
  };
  const pages = [
    page('/', t('shell:nav.home')),
    ...(mayOpen('/send') ? [page('/send', t('shell:nav.send'))] : []),
    ...groups.flatMap((g) => g.items.map((item) => page(item.to, t(item.label)))),
    ...(mayOpen('/notifications') ? [page('/notifications', t('shell:bell.open'))] : []),
    ...accountTabs.map(({ to, label }) => page(to, t(label))),
    ...(mayOpen('/settings/settingsUser')
      ? [page('/settings/settingsUser', t('shell:account.settings'))]
      : []),
    page('/about', t('shell:about.title')),
  ];
  const actions: Command[] = [
    ...(mayOpen('/balance/payments') && can('payments.create')
      ? [
          {
            id: 'topUp',
            label: t('shell:balance.topUp'),
            run: () => void navigate('/balance/payments?topUp=true'),
          },
        ]
      : []),
    {
      id: 'theme',
      label: t('shell:keys.theme'),
      keys: GENERAL_KEYS.theme,
      run: () => toggleColorScheme(),
    },
    { id: 'blur', label: t('shell:keys.blur'), keys: GENERAL_KEYS.blur, run: toggleBlur },
    { id: 'keys', label: t('shell:keys.title'), keys: GENERAL_KEYS.sheet, run: onKeys },
    ...LOCALES.filter((locale) => locale !== i18n.language).map((locale) => ({
      id: locale,
      label: `${t('language')}: ${LOCALE_NAMES[locale]}`,
      run: () => void changeLocale(locale),
    })),
    {
      id: 'leave',
      label: previous ? t('shell:account.back') : t('shell:account.signOut'),
      run: () => void leave(),
    },
  ];
  return { pages, actions };
}
