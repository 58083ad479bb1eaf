import type { User } from '@heliograph/contract';
import { Alert, Stack, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery } from '../../core/account.ts';
import { useSettings } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { IdentityForm } from '../../ui/identity-form.tsx';
import { EmailSection } from './email-section.tsx';
import { useChangeIdentity } from './identity.api.ts';
import { PhoneSection } from './phone-section.tsx';

/** The dialogs of `?identity=`, over whatever page is open. Who acts as somebody else has none. */
export function IdentityDialogs() {
  const [which, set] = useParam('identity');
  const { data: me } = useQuery(meQuery);
  const { impersonator } = useSettings().session;
  if (!me || impersonator) return null;
  const close = () => set(null, { replace: true });
  return (
    <>
      <EmailDialog me={me} opened={which === 'email'} onClose={close} />
      <PhoneDialog me={me} opened={which === 'phone'} onClose={close} />
    </>
  );
}

interface EmailDialogProps {
  me: User;
  opened: boolean;
  onClose: () => void;
}

/** The e-mail, whether it is confirmed, and another one in its place. */
function EmailDialog({ me, opened, onClose }: EmailDialogProps) {
  const { t } = useTranslation();
  const { recovery: isMailOn } = useSettings().frontend;
  const change = useChangeIdentity(me.id, 'email');
  return (
    <Dialog opened={opened} onClose={onClose} title={t('identity:email.title')} size={500}>
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

interface PhoneDialogProps {
  me: User;
  opened: boolean;
  onClose: () => void;
}

/** The phone, the code that confirms it, and another one in its place. */
function PhoneDialog({ me, opened, onClose }: PhoneDialogProps) {
  const { t } = useTranslation();
  const { phoneConfirmedAt, pendingPhone, data } = me;
  const waiting = pendingPhone ?? (phoneConfirmedAt ? null : data.phone);
  const [isChanging, setChanging] = useState(false);
  const change = useChangeIdentity(me.id, 'phone');
  return (
    <Dialog opened={opened} onClose={onClose} title={t('identity:phone.title')} size={500}>
      <Stack>
        <PhoneSection me={me} onDone={onClose} />
        {waiting && !isChanging ? (
          <Group>
            <Button variant="subtle" size="xs" px={0} onClick={() => setChanging(true)}>
              {t('identity:phone.other')}
            </Button>
          </Group>
        ) : (
          <IdentityForm
            field="phone"
            hint={t('identity:phone.hint')}
            change={change}
            onDone={() => setChanging(false)}
          />
        )}
      </Stack>
    </Dialog>
  );
}
