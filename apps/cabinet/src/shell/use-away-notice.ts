import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { i18n } from '../core/i18n/i18n.ts';
import { useLive } from '../core/realtime/live.ts';

const ID = 'away';
/** A shorter interruption is not reported. */
const PATIENCE_MS = 3000;

/** Says that the server is away, and what that means, until it is back. */
export function useAwayNotice(): void {
  const isAway = useLive() === 'waiting';
  useEffect(() => {
    if (!isAway) return;
    const timer = setTimeout(() => {
      notifications.show({
        id: ID,
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
      notifications.hide(ID);
    };
  }, [isAway]);
}
