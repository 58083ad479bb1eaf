import type { User } from '@heliograph/contract';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan, useSettings } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useLast } from '../../core/use-last.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { IdentityForm } from '../../ui/identity-form.tsx';
import { useChangeIdentity } from '../identity/identity.api.ts';
import { mayLoginAs } from './user-rights.ts';

type Field = 'email' | 'phone';

/** The e-mail and phone of a subordinate: changed with the user's own password, confirmed by the subordinate. */
export function UserIdentity({ user }: { user: User }) {
  const { t } = useTranslation();
  const can = useCan();
  const settings = useSettings();
  const [changing, setChanging] = useState<Field | null>(null);
  const last = useLast(changing);
  if (!can('users.update', 'resellerUp') || !mayLoginAs(user, settings)) return null;
  const { username } = user;
  const fields: Field[] = settings.frontend.recovery ? ['email', 'phone'] : ['phone'];
  return (
    <>
      <Group gap="xs">
        {fields.map((field) => (
          <Button key={field} variant="default" size="xs" onClick={() => setChanging(field)}>
            {t(`users:change.${field}`)}
          </Button>
        ))}
      </Group>
      {last && (
        <Dialog
          opened={!!changing}
          onClose={() => setChanging(null)}
          title={t(`users:changeOf.${last}`, { username })}
          size={500}
        >
          <Change key={last} user={user} field={last} onClose={() => setChanging(null)} />
        </Dialog>
      )}
    </>
  );
}

function Change({ user, field, onClose }: { user: User; field: Field; onClose: () => void }) {
  const { t } = useTranslation();
  const change = useChangeIdentity(user.id, field);
  const onDone = () => {
    showSuccess(t(`users:changed.${field}`, { username: user.username }));
    onClose();
  };
  return (
    <IdentityForm
      field={field}
      hint={t(field === 'email' ? 'identity:email.hint' : 'users:phoneHint')}
      change={change}
      onDone={onDone}
    />
  );
}
