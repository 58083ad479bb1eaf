import { secondFactor, type User } from '@heliograph/contract';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../core/api.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useCan, useSettings } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SecretInput } from '../../ui/secret-input.tsx';
import { mayLoginAs } from './user-rights.ts';

/** Resets the second factor of a subordinate who has lost it, with the user's own password. */
export function UserSecondFactor({ user }: { user: User }) {
  const { t } = useTranslation();
  const can = useCan();
  const settings = useSettings();
  const [opened, setOpened] = useState(false);
  if (!user.hasSecondFactor) return null;
  if (!can('users.update', 'managerUp') || !mayLoginAs(user, settings)) return null;
  const { username } = user;
  const onClose = () => setOpened(false);
  return (
    <div>
      <Button variant="default" size="xs" onClick={() => setOpened(true)}>
        {t('users:factor.reset')}
      </Button>
      <Dialog
        opened={opened}
        onClose={onClose}
        title={t('users:factor.resetOf', { username })}
        size={500}
      >
        <Reset user={user} onClose={onClose} />
      </Dialog>
    </div>
  );
}

function Reset({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation();
  const { id, username } = user;
  const { mutateAsync } = useMutationOnce({
    mutationFn: (body: { password: string }) => api(secondFactor.reset, { params: { id }, body }),
    meta: { invalidates: ['users'], showsErrors: true },
  });
  const form = useContractForm({
    initial: { password: '' },
    check: ({ password }) => ({ password: !password && 'required' }),
    submit: mutateAsync,
    onDone() {
      showSuccess(t('users:factor.done', { username }));
      onClose();
    },
  });
  const footer = <FormFooter form={form} submit={t('users:factor.reset')} onCancel={onClose} />;
  return (
    <ContractForm form={form} footer={footer}>
      <Text size="sm">{t('users:factor.text')}</Text>
      <SecretInput
        {...form.field('password')}
        label={t('users:factor.password')}
        autoComplete="current-password"
        data-autofocus
      />
    </ContractForm>
  );
}
