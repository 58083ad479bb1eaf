import type { User } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { useLast } from '../../core/use-last.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { BalanceForm } from './balance-form.tsx';

interface BalanceDialogProps {
  user: User | null;
  onClose: () => void;
}

export function BalanceDialog({ user, onClose }: BalanceDialogProps) {
  const { t } = useTranslation();
  const last = useLast(user);
  if (!last) return null;
  const { username } = last;
  return (
    <Dialog
      opened={!!user}
      onClose={onClose}
      title={t('users:changeBalance', { username })}
      size={500}
    >
      <BalanceForm user={last} onClose={onClose} />
    </Dialog>
  );
}
