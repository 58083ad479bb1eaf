import { auth, type Client } from '@heliograph/contract';
import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { replaceToken } from '../core/api.ts';
import { i18n } from '../core/i18n/i18n.ts';
import { expiryOf, phaseOf } from '../core/session/session-time.ts';
import { session } from '../core/session/session.ts';
import { showError } from '../core/toast.tsx';

const ID = 'session-ending';

/** While the user acts as another account, their own session is extended first: the other session never outlives it. */
async function stay(): Promise<void> {
  notifications.hide(ID);
  const renewOwn = (client: Client) =>
    client(auth.renew, { headers: { authorization: session.get().previous! } });
  try {
    if (session.get().previous) await replaceToken(renewOwn, session.renewOwn);
    await replaceToken((client) => client(auth.renew));
  } catch (error) {
    showError(error);
  }
}

function warn(end: number): void {
  const minutes = Math.max(1, Math.round((end - session.now()) / 60_000));
  notifications.show({
    id: ID,
    color: 'yellow',
    title: i18n.t('shell:session.ending'),
    message: (
      <>
        <Text size="sm" mb="xs">
          {i18n.t('shell:session.endingText', { count: minutes })}
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
    // One end is warned of once: a session that may not last longer is renewed up to the same one.
    let warnedFor: number | null = null;
    const timer = setInterval(() => {
      const { token } = session.get();
      const phase = phaseOf(token, session.now());
      if (phase === 'ended') session.end('expired');
      if (phase !== 'ending' || warnedFor === expiryOf(token!)) return;
      warnedFor = expiryOf(token!)!;
      warn(warnedFor);
    }, 1000);
    return () => {
      clearInterval(timer);
      notifications.hide(ID);
    };
  }, []);
}
