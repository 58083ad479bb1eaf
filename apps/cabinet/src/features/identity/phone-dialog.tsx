import type { User } from '@heliograph/contract';
import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog.tsx';
import { IdentityForm } from '../../ui/identity-form.tsx';
import { useChangeIdentity } from './identity.api.ts';
import { PhoneSection } from './phone-section.tsx';

interface PhoneDialogProps {
  me: User;
  opened: boolean;
  onClose: () => void;
}

/** The phone, the code that confirms it, and another one in its place. */
export function PhoneDialog({ me, opened, onClose }: PhoneDialogProps) {
  const { t } = useTranslation();
  const { phoneConfirmedAt, pendingPhone, data } = me;
  const waiting = pendingPhone ?? (phoneConfirmedAt ? null : data.phone);
  const [isChanging, setChanging] = useState(false);
  const change = useChangeIdentity(me.id, 'phone');
  return (
    <Dialog opened={opened} onClose={onClose} title={t('identity:phone.title')} size={440}>
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
