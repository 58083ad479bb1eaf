import { ActionIcon, Indicator, Loader, Popover } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { withTexts } from '../../core/i18n/i18n.ts';
import { fetched } from '../../core/lost-chunk.ts';
import { useSocketEvent } from '../../core/realtime/socket-events.ts';
import { useCan, useMayOpen } from '../../core/settings.ts';
import { IconBell } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { useUnread } from './notifications.api.ts';

const LatestNotifications = later(
  async () =>
    (await withTexts(['notifications'], () => import('./latest-notifications.tsx')))
      .LatestNotifications,
  <Loader size="sm" m="md" />,
);

/**
 * The unread count and the last ten notifications; on a small screen a link to the page. Shows new ones as toasts. Who has no
 * notifications sees a new version alone.
 */
export function NotificationBell({ newVersion }: { newVersion: string | null }) {
  const { t } = useTranslation();
  const allowed = useCan()('notifications.get');
  const unread = useUnread(allowed);
  const [opened, { toggle, close }] = useDisclosure(false);
  const small = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const hasPage = useMayOpen()('/notifications');
  const navigate = useNavigate();
  useSocketEvent('notifications.sent', ({ items }) => {
    void fetched(() => import('./announce.ts')).then(({ announce }) =>
      announce(items, (path) => void navigate(path)),
    );
  });
  if (!allowed && newVersion)
    return (
      <ActionIcon
        color="red.9"
        radius="xl"
        size="sm"
        aria-label={t('shell:update.to', { version: newVersion })}
        onClick={() => location.reload()}
      >
        <span aria-hidden>!</span>
      </ActionIcon>
    );
  if (!allowed) return null;
  const label = [
    t('shell:bell.open'),
    unread > 0 && t('shell:bell.unread', { count: unread }),
    newVersion && t('shell:update.title', { version: newVersion }),
  ].filter(Boolean);
  return (
    <Popover
      opened={opened}
      onChange={(now) => !now && close()}
      position="bottom-end"
      width={360}
      trapFocus
      returnFocus
      withRoles
    >
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          onClick={() => (small && hasPage ? void navigate('/notifications') : toggle())}
        >
          <span className="visually-hidden">{label.join('. ')}</span>
          <Indicator
            display="flex"
            color="red.9"
            size={16}
            offset={4}
            label={<span aria-hidden>{unread > 9 ? '9+' : unread || '!'}</span>}
            disabled={!unread && !newVersion}
          >
            <IconBell size={22} stroke={1.6} aria-hidden />
          </Indicator>
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('shell:bell.open')} p={0}>
        <LatestNotifications onLeave={close} />
      </Popover.Dropdown>
    </Popover>
  );
}
