import type { User } from '@heliograph/contract';
import { Modal } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { BalanceForm } from './balance-form.tsx';

interface BalanceDialogProps {
  user: User | null;
  onClose: () => void;
}

export function BalanceDialog({ user, onClose }: BalanceDialogProps) {
  const { t } = useTranslation();
  const last = useRef(user);
  if (user) last.current = user;
  if (!last.current) return null;
  const { username } = last.current;
  return (
    <Modal
      opened={!!user}
      onClose={onClose}
      title={t('users:changeBalance', { username })}
      size={500}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <BalanceForm user={last.current} onClose={onClose} />
    </Modal>
  );
}
