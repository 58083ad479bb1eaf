import { auth } from '@heliograph/contract';
import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { api } from '../core/api.ts';
import { i18n } from '../core/i18n/i18n.ts';
import { phaseOf } from '../core/session/session-time.ts';
import { session } from '../core/session/session.ts';
import { showError } from '../core/toast.tsx';

const ID = 'session-ending';

async function stay(): Promise<void> {
  notifications.hide(ID);
  try {
    session.renew((await api(auth.renew)).token);
  } catch (error) {
    showError(error);
  }
}

function warn(): void {
  notifications.show({
    id: ID,
    color: 'yellow',
    title: i18n.t('shell:session.ending'),
    message: (
      <>
        <Text size="sm" mb="xs">
          {i18n.t('shell:session.endingText')}
        </Text>
        <Button size="xs" onClick={() => void stay()}>
          {i18n.t('shell:session.stay')}
        </Button>
      </>
    ),
    autoClose: 30_000,
    role: 'alert',
    closeButtonProps: { 'aria-label': i18n.t('close') },
  });
}

/** Looks at the token every second: warns once when it is about to end, and signs out when it has. */
export function useSessionClock(): void {
  useEffect(() => {
    let warnedFor: string | null = null;
    const timer = setInterval(() => {
      const { token } = session.get();
      const phase = phaseOf(token, Date.now());
      if (phase === 'ended') session.end('expired');
      if (phase !== 'ending' || warnedFor === token) return;
      warnedFor = token;
      warn();
    }, 1000);
    return () => {
      clearInterval(timer);
      notifications.hide(ID);
    };
  }, []);
}
