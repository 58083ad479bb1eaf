import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog.tsx';
import { NewAccountForm } from './new-account-form.tsx';

interface NewAccountDialogProps {
  opened: boolean;
  onClose: () => void;
}

export function NewAccountDialog({ opened, onClose }: NewAccountDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog opened={opened} onClose={onClose} title={t('users:account.create')} size={600}>
      <NewAccountForm onClose={onClose} />
    </Dialog>
  );
}
