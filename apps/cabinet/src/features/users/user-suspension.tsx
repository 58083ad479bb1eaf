import { SuspensionInput, users, type User } from '@heliograph/contract';
import { Alert, Button, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../core/api.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useCan, useSettings } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { mayAdminister } from './user-rights.ts';

/** Switches a user off, with a reason, and on again. */
export function UserSuspension({ user }: { user: User }) {
  const { t } = useTranslation();
  const can = useCan();
  const formats = useFormats();
  const settings = useSettings();
  const [opened, setOpened] = useState(false);
  const { id, username, suspension } = user;
  const { mutate, isPending } = useMutationOnce({
    mutationFn: () => api(users.resume, { params: { id } }),
    meta: { invalidates: ['users', 'tasks'], showsErrors: true },
    onSuccess: () => showSuccess(t('users:suspension.resumed', { username })),
  });
  const may = can('users.suspend', 'resellerUp') && mayAdminister(user, settings);
  const onClose = () => setOpened(false);
  if (user.closedAt || (user.isActive && !may)) return null;
  return (
    <div style={user.isActive ? undefined : { flexBasis: '100%' }}>
      {user.isActive ? (
        <Button variant="default" size="xs" onClick={() => setOpened(true)}>
          {t('users:suspension.suspend')}
        </Button>
      ) : (
        <Alert
          color="red"
          title={
            suspension
              ? t('users:suspension.since', { time: formats.dateTime(suspension.at) })
              : t('users:suspended')
          }
        >
          {suspension && (
            <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
              {suspension.reason}
            </Text>
          )}
          {may && (
            <Button
              mt="sm"
              variant="default"
              size="xs"
              loading={isPending}
              onClick={() => mutate()}
            >
              {t('users:suspension.resume')}
            </Button>
          )}
        </Alert>
      )}
      <Dialog
        opened={opened}
        onClose={onClose}
        title={t('users:suspension.of', { username })}
        size={500}
      >
        <Suspend user={user} onClose={onClose} />
      </Dialog>
    </div>
  );
}

function Suspend({ user: { id, username }, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation();
  const { mutateAsync } = useMutationOnce({
    mutationFn: (body: { reason: string }) => api(users.suspend, { params: { id }, body }),
    meta: { invalidates: ['users', 'tasks'], showsErrors: true },
  });
  const form = useContractForm({
    initial: { reason: '' },
    schema: SuspensionInput,
    submit: mutateAsync,
    onDone() {
      showSuccess(t('users:suspension.done', { username }));
      onClose();
    },
  });
  const footer = (
    <FormFooter form={form} submit={t('users:suspension.suspend')} onCancel={onClose} />
  );
  return (
    <ContractForm form={form} footer={footer}>
      <Text size="sm">{t('users:suspension.text')}</Text>
      <Textarea
        {...form.field('reason')}
        label={t('users:suspension.reason')}
        description={t('users:suspension.reasonHint')}
        maxLength={500}
        autosize
        minRows={2}
        maxRows={6}
        required
        data-autofocus
      />
    </ContractForm>
  );
}
