import { users, type Invitation, type User } from '@heliograph/contract';
import { Alert, Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { api } from '../../core/api.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useCan, useSettings } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { AccountFields, accountBody, type AccountValues } from './account-fields.tsx';
import { InvitationLink } from './new-account-form.tsx';
import { accountRights, mayAdminister } from './user-rights.ts';

/** The settings of an account that those who run it change, and its invitation while it is open. */
export function UserAccount({ user }: { user: User }) {
  const { t } = useTranslation();
  const can = useCan();
  const settings = useSettings();
  const formats = useFormats();
  const [opened, setOpened] = useState(false);
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const { id, OwnerId, username, invitedAt } = user;
  const { mutate, isPending } = useMutationOnce({
    mutationFn: () => api(users.invite, { params: { id }, body: {} }),
    meta: { invalidates: ['users'], showsErrors: true },
    onSuccess: (sent: Invitation) => {
      if (sent.url) setInvitation(sent);
      else showSuccess(t('users:invitation.sent', { username, email: sent.email ?? '' }));
    },
  });
  if (!mayAdminister(user, settings)) return null;
  const onClose = () => setOpened(false);
  return (
    <>
      {invitedAt && (
        <Alert
          color="blue"
          title={t('users:invitation.open', { time: formats.dateTime(invitedAt) })}
        >
          {can('users.create', 'resellerUp') && (
            <Button variant="default" size="xs" loading={isPending} onClick={() => mutate()}>
              {t('users:invitation.again')}
            </Button>
          )}
        </Alert>
      )}
      {can('users.configure', 'resellerUp') && id === OwnerId && (
        <Group>
          <Button variant="default" size="xs" onClick={() => setOpened(true)}>
            {t('users:account.configure')}
          </Button>
          {user.level === 'reseller' && can('brands.get', 'managerUp') && (
            <Button component={Link} to={`/brand/${OwnerId}`} variant="default" size="xs">
              {t('users:account.brand')}
            </Button>
          )}
        </Group>
      )}
      <Dialog
        opened={opened}
        onClose={onClose}
        title={t('users:account.of', { username })}
        size={600}
      >
        <AccountForm user={user} onClose={onClose} />
      </Dialog>
      <Dialog
        opened={!!invitation}
        onClose={() => setInvitation(null)}
        title={t('users:invitation.link')}
        size={500}
      >
        {invitation && (
          <InvitationLink invitation={invitation} onClose={() => setInvitation(null)} />
        )}
      </Dialog>
    </>
  );
}

interface Stored {
  billings?: { currency?: string };
  sendings?: { lookupDays?: number; lookupFirst?: boolean };
  accounts?: { maxCustomers?: number; maxCustomerOverdraft?: number; maySellBelowCost?: boolean };
}

function valuesOf({
  level,
  ResellerId,
  Manager,
  isTest,
  overdraft,
  settings,
}: User): AccountValues {
  const { billings, sendings, accounts } = (settings ?? {}) as Stored;
  return {
    level,
    ResellerId,
    ManagerId: Manager?.id ?? null,
    isTest,
    overdraft: overdraft ?? 0,
    currency: billings?.currency ?? '',
    lookupDays: sendings?.lookupDays ?? null,
    lookupFirst: sendings?.lookupFirst ?? false,
    maxCustomers: accounts?.maxCustomers ?? null,
    maxCustomerOverdraft: accounts?.maxCustomerOverdraft ?? null,
    maySellBelowCost: accounts?.maySellBelowCost ?? false,
  };
}

function AccountForm({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation();
  const rights = accountRights(useCan());
  const { id, username } = user;
  const { mutateAsync } = useMutationOnce({
    mutationFn: (body: ReturnType<typeof accountBody>) =>
      api(users.configure, { params: { id }, body }),
    meta: { invalidates: ['users'], showsErrors: true },
  });
  const form = useContractForm({
    initial: valuesOf(user),
    isEdit: true,
    schema: users.configure.body,
    toBody: (values) => accountBody(values, rights),
    submit: mutateAsync,
    onDone() {
      showSuccess(t('users:account.saved', { username }));
      onClose();
    },
  });
  return (
    <ContractForm
      form={form}
      footer={<FormFooter form={form} submit={t('users:account.save')} onCancel={onClose} />}
    >
      <AccountFields form={form} values={form.values} rights={rights} />
    </ContractForm>
  );
}
