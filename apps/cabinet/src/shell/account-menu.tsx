import { Button, Menu, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { meQuery, useBalance } from '../core/account.ts';
import { useBlur } from '../core/privacy.ts';
import { useCan, useMayOpen, useSettings } from '../core/settings.ts';
import { useSession } from '../core/session/use-session.ts';
import { useFormats } from '../core/use-formats.ts';
import { useAccountTabs } from '../features/account/account-tabs.ts';
import { Blurred } from '../ui/blurred.tsx';
import {
  IconArrowBack,
  IconDocumentation,
  IconExternal,
  IconLogout,
  IconSettings,
  IconUser,
  IconWallet,
} from '../ui/icons.ts';
import { leave } from './leave.ts';

/** The user, the balance and signing out. */
export function AccountMenu() {
  const { t } = useTranslation();
  const formats = useFormats();
  const can = useCan();
  const mayOpen = useMayOpen();
  const { features } = useSettings();
  const accountTabs = useAccountTabs();
  const { previous } = useSession();
  const { data: me } = useQuery(meQuery);
  const { data: balance } = useBalance();
  const fullName = [me?.data.firstName, me?.data.lastName].filter(Boolean).join(' ');
  const name = fullName || (me?.username ?? '');
  const who = t('shell:account.who');
  const sums = t('shell:account.sums');
  const isBlurred = useBlur();
  return (
    <Menu position="bottom-end" width={260} withinPortal={false}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          px={8}
          leftSection={<IconUser size={22} stroke={1.6} aria-hidden />}
          styles={{ section: { marginInlineEnd: 6 } }}
        >
          <Text span size="sm" className="numeric" miw={84} ta="end">
            <span className="visually-hidden">
              {t('shell:account.open', { name: isBlurred ? t('hidden', { what: who }) : name })}
            </span>{' '}
            {balance && <Blurred what={sums}>{formats.money(balance.result)}</Blurred>}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)">
            <Blurred what={who}>{name}</Blurred>
          </Text>
          <Text size="xs">
            <Blurred what={who}>{me?.data.email ?? me?.username}</Blurred>
          </Text>
          {balance && (
            <Text size="xs" mt={6}>
              <Blurred what={sums}>
                {t('shell:account.balance', { balance: formats.money(balance.balance) })}
                {balance.overdraft > 0 && (
                  <>
                    <br />
                    {t('shell:account.overdraft', { overdraft: formats.money(balance.overdraft) })}
                  </>
                )}
              </Blurred>
            </Text>
          )}
        </Menu.Label>
        {mayOpen('/balance/payments') && can('payments.create') && (
          <Menu.Item
            component={Link}
            to="/balance/payments?topUp=true"
            leftSection={<IconWallet size={16} aria-hidden />}
          >
            {t('shell:balance.topUp')}
          </Menu.Item>
        )}
        <Menu.Divider />
        {accountTabs.map(({ to, label, icon: TabIcon }) => (
          <Menu.Item
            key={to}
            component={Link}
            to={to}
            leftSection={<TabIcon size={16} aria-hidden />}
          >
            {t(label)}
          </Menu.Item>
        ))}
        {mayOpen('/settings/settingsUser') && (
          <Menu.Item
            component={Link}
            to="/settings/settingsUser"
            leftSection={<IconSettings size={16} aria-hidden />}
          >
            {t('shell:account.settings')}
          </Menu.Item>
        )}
        <Menu.Item
          component={Link}
          to="/documentation"
          leftSection={<IconDocumentation size={16} aria-hidden />}
        >
          {t('documentation')}
        </Menu.Item>
        {features.blog && (
          <Menu.Item
            component="a"
            href={features.blog}
            target="_blank"
            rel="noopener noreferrer"
            leftSection={<IconExternal size={16} aria-hidden />}
          >
            {t('shell:blog')}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={
            previous ? (
              <IconArrowBack size={16} aria-hidden />
            ) : (
              <IconLogout size={16} aria-hidden />
            )
          }
          onClick={() => void leave()}
        >
          {previous ? t('shell:account.back') : t('shell:account.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
