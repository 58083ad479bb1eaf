import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { i18n } from '../core/i18n/i18n.ts';
import { useLive } from '../core/realtime/live.ts';
import { useServiceWorker } from './use-service-worker.ts';
import { useSessionClock } from './use-session-clock.tsx';
import { useNewVersion } from './version.ts';

/** What the shell itself has to say; `NoticeRegion` shows it. */
export function Notices() {
  useAwayNotice();
  useSessionClock();
  useUpdatePrompt();
  useServiceWorker();
  return null;
}

const AWAY = 'away';
/** A shorter interruption is not reported. */
const PATIENCE_MS = 3000;

/** Says that the server is away, and what that means, until it is back. */
function useAwayNotice(): void {
  const isAway = useLive() === 'waiting';
  useEffect(() => {
    if (!isAway) return;
    const timer = setTimeout(() => {
      notifications.show({
        id: AWAY,
        color: 'yellow',
        title: i18n.t('shell:away.title'),
        message: i18n.t('shell:away.text'),
        autoClose: false,
        role: 'status',
        closeButtonProps: { 'aria-label': i18n.t('close') },
      });
    }, PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      notifications.hide(AWAY);
    };
  }, [isAway]);
}

const NEW_VERSION = 'new-version';
const SHOWN_MS = 300_000;

/** Offers the new version for five minutes; after that the badge and the footer still do. */
export function useUpdatePrompt(): void {
  const version = useNewVersion();
  useEffect(() => {
    if (!version) return;
    notifications.show({
      id: NEW_VERSION,
      title: i18n.t('shell:update.title', { version }),
      message: (
        <>
          <Text size="sm" mb="xs">
            {i18n.t('shell:update.text')}
          </Text>
          <Button size="xs" onClick={() => location.reload()}>
            {i18n.t('shell:update.action')}
          </Button>
        </>
      ),
      autoClose: SHOWN_MS,
      role: 'status',
      closeButtonProps: { 'aria-label': i18n.t('close') },
    });
    return () => void notifications.hide(NEW_VERSION);
  }, [version]);
}
