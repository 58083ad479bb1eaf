import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { i18n } from '../core/i18n/i18n.ts';
import { useNewVersion } from './version.ts';

const ID = 'new-version';
const SHOWN_MS = 300_000;

/** Offers the new version for five minutes; after that the badge and the footer still do. */
export function useUpdatePrompt(): void {
  const version = useNewVersion();
  useEffect(() => {
    if (!version) return;
    notifications.show({
      id: ID,
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
    return () => void notifications.hide(ID);
  }, [version]);
}
