import { accountClosings, type User } from '@heliograph/contract';
import { Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../core/api.ts';
import { useCan, useSettings } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { later } from '../../ui/later.tsx';
import { mayAdminister } from './user-rights.ts';

const CloseAccount = later(async () => (await import('./close-account.tsx')).CloseAccount);

/** Closes an account with a settlement. Of a closed one: since when and why, what came later, and the way back. */
export function UserClosing({ user }: { user: User }) {
  const { t } = useTranslation();
  const can = useCan();
  const settings = useSettings();
  const formats = useFormats(user.currency);
  const [opened, setOpened] = useState(false);
  const { id, username, balance, suspension, closedAt } = user;
  const { mutate, isPending } = useMutationOnce({
    mutationFn: () => api(accountClosings.reopen, { params: { id } }),
    meta: { invalidates: ['users'], showsErrors: true },
    onSuccess: () => showSuccess(t('users:closing.reopened', { username })),
  });
  const may =
    can('users.close', 'resellerUp') && mayAdminister(user, settings) && id === user.OwnerId;
  const onClose = () => setOpened(false);
  if (!closedAt && !may) return null;
  return (
    <div style={closedAt ? { flexBasis: '100%' } : undefined}>
      {closedAt ? (
        <Alert color="gray" title={t('users:closing.since', { time: formats.dateTime(closedAt) })}>
          <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
            {suspension?.reason}
          </Text>
          {may && (
            <Group mt="sm" gap="xs">
              {!!balance && (
                <Button size="xs" onClick={() => setOpened(true)}>
                  {t('users:closing.settle', { amount: formats.money(balance) })}
                </Button>
              )}
              <Button variant="default" size="xs" loading={isPending} onClick={() => mutate()}>
                {t('users:closing.reopen')}
              </Button>
            </Group>
          )}
        </Alert>
      ) : (
        <Button variant="default" size="xs" onClick={() => setOpened(true)}>
          {t('users:closing.close')}
        </Button>
      )}
      <Dialog
        opened={opened}
        onClose={onClose}
        title={t(closedAt ? 'users:closing.settleOf' : 'users:closing.of', { username })}
        size={600}
      >
        <CloseAccount user={user} onClose={onClose} />
      </Dialog>
    </div>
  );
}
