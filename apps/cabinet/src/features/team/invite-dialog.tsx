import { members, ROLES, type Invitation, type Role } from '@heliograph/contract';
import { Button, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { showSuccess } from '../../core/toast.tsx';
import { useLast } from '../../core/use-last.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { useInvite } from './team.api.ts';

interface InviteDialogProps {
  opened: boolean;
  onClose: () => void;
}

export function InviteDialog({ opened, onClose }: InviteDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog opened={opened} onClose={onClose} title={t('team:inviteTitle')} size={600}>
      <InviteForm onClose={onClose} />
    </Dialog>
  );
}

const EMPTY = { email: '', role: 'sender' as Role, firstName: '', lastName: '' };

function InviteForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const { mutateAsync } = useInvite();
  const form = useContractForm({
    initial: EMPTY,
    schema: members.create.body,
    toBody: ({ email, role, firstName, lastName }) => ({
      email: email.trim(),
      role,
      firstName: firstName.trim() || null,
      lastName: lastName.trim() || null,
    }),
    submit: mutateAsync,
    onDone({ invitation: sent }) {
      if (sent.url) return setInvitation(sent);
      showSuccess(t('team:sent', { email: sent.email ?? '' }));
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
      footer={<FormFooter form={form} submit={t('team:invite')} onCancel={onClose} />}
    >
      <Text size="sm">{t('team:inviteText')}</Text>
      <TextInput
        {...plain('email', t('team:email'))}
        description={t('team:emailHint')}
        type="email"
        maxLength={150}
        required
        data-autofocus
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput {...plain('firstName', t('team:firstName'))} maxLength={100} />
        <TextInput {...plain('lastName', t('team:lastName'))} maxLength={100} />
      </SimpleGrid>
      <NativeSelect
        {...form.field('role')}
        label={t('team:role')}
        description={t(`team:roleTexts.${form.values.role}`)}
        data={ROLES.map((value) => ({ value, label: t(`team:roles.${value}`) }))}
      />
    </ContractForm>
  );
}

interface LinkProps {
  invitation: Invitation;
  onClose: () => void;
}

/** The link of an invitation that could not be sent. */
function InvitationLink({ invitation: { url }, onClose }: LinkProps) {
  const { t } = useTranslation();
  return (
    <Stack>
      <SecretOnce value={url ?? ''} label={t('team:link')} warning={t('team:warning')} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('common:close')}
        </Button>
      </Group>
    </Stack>
  );
}

/** The same, of an invitation that was repeated. */
export function LinkDialog({
  invitation,
  onClose,
}: Omit<LinkProps, 'invitation'> & { invitation: Invitation | null }) {
  const { t } = useTranslation();
  const last = useLast(invitation);
  return (
    <Dialog opened={!!invitation} onClose={onClose} title={t('team:inviteTitle')} size={600}>
      {last && <InvitationLink invitation={last} onClose={onClose} />}
    </Dialog>
  );
}
