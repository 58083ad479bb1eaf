import type { User } from '@heliograph/contract';
import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { meQuery } from '../../core/account.ts';
import { useCan, useSettings } from '../../core/settings.ts';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconLogin, IconWallet } from '../../ui/icons.ts';
import { mayChangeBalance, mayLoginAs } from './user-rights.ts';
import { useLoginAs } from './users.api.ts';

interface UserActionsProps {
  user: User;
  /** Opens the page's dialog, which outlives the row. */
  onChangeBalance: () => void;
}

export function UserActions({ user, onChangeBalance }: UserActionsProps) {
  const { t } = useTranslation();
  const can = useCan();
  const settings = useSettings();
  const { data: me } = useQuery(meQuery);
  const { mutate, isPending } = useLoginAs();
  const { id, username } = user;
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {can('billings.generate', 'resellerUp') && (
        <IconAction
          icon={IconWallet}
          word="balance"
          label={t('users:changeBalance', { username })}
          disabled={!mayChangeBalance(user, me, settings)}
          onClick={onChangeBalance}
        />
      )}
      {can('secret.loginAs', 'resellerUp') && mayLoginAs(user, settings) && (
        <IconAction
          icon={IconLogin}
          word="signIn"
          label={t('users:loginAs', { username })}
          disabled={isPending}
          onClick={() => mutate(id)}
        />
      )}
    </Group>
  );
}
