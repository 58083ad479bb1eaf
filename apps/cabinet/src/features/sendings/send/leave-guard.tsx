import { Button, Group, Modal, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';
import { session } from '../../../core/session/session.ts';

interface LeaveGuardProps {
  /** There is something to lose. */
  isActive: () => boolean;
  /** It is kept in this browser. */
  isKept: boolean;
  onDiscard: () => void;
}

const isHere = (pathname: string) => pathname === '/send' || pathname.startsWith('/send/');

/** Asks before unfinished work is left. */
export function LeaveGuard({ isActive, isKept, onDiscard }: LeaveGuardProps) {
  const { t } = useTranslation();
  // A session that has ended is not asked.
  const blocker = useBlocker(
    ({ nextLocation }) => isActive() && !!session.token() && !isHere(nextLocation.pathname),
  );
  useEffect(() => {
    if (isKept) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (isActive()) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isActive, isKept]);
  const stay = () => blocker.reset?.();
  return (
    <Modal
      opened={blocker.state === 'blocked'}
      onClose={stay}
      title={t('send:leave.title')}
      size={500}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Text size="sm" mb="lg">
        {isKept ? t('send:leave.kept') : t('send:leave.lost')}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={stay} data-autofocus>
          {t('send:leave.stay')}
        </Button>
        <Button
          variant="default"
          onClick={() => {
            onDiscard();
            blocker.proceed?.();
          }}
        >
          {t('send:leave.discard')}
        </Button>
        {isKept && <Button onClick={() => blocker.proceed?.()}>{t('send:leave.go')}</Button>}
      </Group>
    </Modal>
  );
}
