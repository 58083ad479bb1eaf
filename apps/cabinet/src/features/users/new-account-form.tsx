import { users, type Invitation } from '@heliograph/contract';
import { Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../core/api.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { AccountFields, accountBody, type AccountValues } from './account-fields.tsx';
import { accountRights } from './user-rights.ts';

type Body = Parameters<typeof bodyOf>[0];

const EMPTY = {
  username: '',
  data: { email: '', phone: '', firstName: '', lastName: '' },
  level: 'me',
  ResellerId: null,
  ManagerId: null,
  isTest: false,
  overdraft: null,
  currency: '',
  lookupDays: null,
  lookupFirst: false,
  maxCustomers: null,
  maxCustomerOverdraft: null,
  maySellBelowCost: false,
} as AccountValues & {
  username: string;
  data: Record<'email' | 'phone' | 'firstName' | 'lastName', string>;
};

function bodyOf(values: typeof EMPTY, rights: ReturnType<typeof accountRights>) {
  const filled = Object.entries(values.data).filter(([, value]) => value.trim());
  return {
    ...(values.username.trim() && { username: values.username.trim() }),
    data: Object.fromEntries(filled) as Partial<Body['data']>,
    ...accountBody(values, rights),
  };
}

/** Creates an account. Its holder is invited by e-mail, or its link is shown once. */
export function NewAccountForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const rights = accountRights(useCan());
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const { mutateAsync } = useMutationOnce({
    mutationFn: (body: ReturnType<typeof bodyOf>) => api(users.create, { body }),
    meta: { invalidates: ['users'], showsErrors: true },
  });
  const form = useContractForm({
    initial: EMPTY,
    schema: users.create.body,
    toBody: (values) => bodyOf(values, rights),
    submit: mutateAsync,
    onDone({ user: { username }, invitation: sent }) {
      if (sent.url) return setInvitation(sent);
      showSuccess(t('users:invitation.sent', { username, email: sent.email ?? '' }));
      onClose();
    },
  });
  if (invitation) return <InvitationLink invitation={invitation} onClose={onClose} />;
  const plain = (path: string, label: string) => ({
    ...form.field(path),
    label,
    autoComplete: 'off',
  });
  return (
    <ContractForm
      form={form}
      footer={<FormFooter form={form} submit={t('users:account.create')} onCancel={onClose} />}
    >
      <Text size="sm">{t('users:account.createText')}</Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          {...plain('data.email', t('users:email'))}
          type="email"
          maxLength={150}
          data-autofocus
        />
        <TextInput
          {...plain('username', t('users:username'))}
          description={t('users:account.usernameHint')}
          maxLength={150}
        />
        <TextInput {...plain('data.firstName', t('users:account.firstName'))} maxLength={100} />
        <TextInput {...plain('data.lastName', t('users:account.lastName'))} maxLength={100} />
        <TextInput
          {...plain('data.phone', t('users:phone'))}
          description={t('users:account.phoneHint')}
          type="tel"
        />
      </SimpleGrid>
      <AccountFields form={form} values={form.values} rights={rights} />
    </ContractForm>
  );
}

interface InvitationLinkProps {
  invitation: Invitation;
  onClose: () => void;
}

/** The link of an invitation that could not be sent. */
export function InvitationLink({ invitation: { url }, onClose }: InvitationLinkProps) {
  const { t } = useTranslation();
  return (
    <Stack>
      <SecretOnce
        value={url ?? ''}
        label={t('users:invitation.link')}
        warning={t('users:invitation.warning')}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('common:close')}
        </Button>
      </Group>
    </Stack>
  );
}
