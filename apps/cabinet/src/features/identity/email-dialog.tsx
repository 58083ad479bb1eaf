import type { User } from '@heliograph/contract';
import { Alert, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../core/settings.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { IdentityForm } from '../../ui/identity-form.tsx';
import { EmailSection } from './email-section.tsx';
import { useChangeIdentity } from './identity.api.ts';

interface EmailDialogProps {
  me: User;
  opened: boolean;
  onClose: () => void;
}

/** The e-mail, whether it is confirmed, and another one in its place. */
export function EmailDialog({ me, opened, onClose }: EmailDialogProps) {
  const { t } = useTranslation();
  const { recovery: isMailOn } = useSettings().frontend;
  const change = useChangeIdentity(me.id, 'email');
  return (
    <Dialog opened={opened} onClose={onClose} title={t('identity:email.title')} size={440}>
      <Stack>
        <EmailSection me={me} />
        {isMailOn ? (
          <IdentityForm field="email" hint={t('identity:email.hint')} change={change} />
        ) : (
          <Alert color="blue" role="note">
            {t('errors:code.mail_off')}
          </Alert>
        )}
      </Stack>
    </Dialog>
  );
}
