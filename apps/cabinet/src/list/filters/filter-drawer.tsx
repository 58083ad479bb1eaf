import { Button, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Sheet } from '../../ui/dialog.tsx';

interface FilterDrawerProps {
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Filters on a small screen. */
export function FilterDrawer({ opened, onClose, children }: FilterDrawerProps) {
  const { t } = useTranslation();
  return (
    <Sheet opened={opened} onClose={onClose} position="bottom" size="85%" title={t('list:filters')}>
      <Stack>
        {children}
        <Button onClick={onClose}>{t('list:showResults')}</Button>
      </Stack>
    </Sheet>
  );
}
