import { Button, Group, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, NavLink } from 'react-router';
import { useMayOpen } from '../core/settings.ts';
import { WaitingCount } from '../features/conversations/waiting-count.tsx';
import { BlurToggle } from '../ui/blur-toggle.tsx';
import { IconHome, IconSend } from '../ui/icons.ts';
import { LanguageMenu } from '../ui/language-menu.tsx';
import { ThemeMenu } from '../ui/theme-menu.tsx';
import { Dialog } from '../ui/dialog.tsx';
import classes from './shell.module.css';
import { useNavigation } from './use-navigation.ts';

/** Everything there is, on the whole of a small screen. It closes itself when the page changes. */
export function MenuDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const mayOpen = useMayOpen();
  const groups = useNavigation();
  return (
    <Dialog opened={opened} onClose={onClose} fullScreen title={t('shell:menu')}>
      <nav aria-label={t('shell:menu')}>
        {mayOpen('/send') && (
          <Button
            component={Link}
            to="/send"
            fullWidth
            size="md"
            mb="xs"
            onClick={onClose}
            leftSection={<IconSend size={18} aria-hidden />}
          >
            {t('shell:nav.send')}
          </Button>
        )}
        <NavLink to="/" end className={classes.link} onClick={onClose}>
          <IconHome size={20} stroke={1.6} aria-hidden />
          {t('shell:nav.home')}
        </NavLink>
        {groups.map(({ label, items }) => (
          <section key={label} aria-label={t(label)}>
            <Title order={2} className={classes.group}>
              {t(label)}
            </Title>
            <ul className={classes.links}>
              {items.map(({ to, label: name, icon: ItemIcon }) => (
                <li key={to}>
                  <NavLink to={to} className={classes.link} onClick={onClose}>
                    <ItemIcon size={20} stroke={1.6} aria-hidden />
                    {t(name)}
                    {to === '/messages/conversations' && <WaitingCount />}
                  </NavLink>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <Group mt="lg" gap="xs">
        <LanguageMenu />
        <ThemeMenu />
        <BlurToggle />
      </Group>
    </Dialog>
  );
}
