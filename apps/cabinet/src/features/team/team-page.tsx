import type { Invitation, Member } from '@heliograph/contract';
import { Alert, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePolling } from '../../core/realtime/live.ts';
import { useSession } from '../../core/session/use-session.ts';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { CreateButton } from '../../list/create-button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { IconUsers } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import type { RemoveDialog as Removal } from '../../ui/remove-dialog.tsx';
import { MemberRow } from './member-row.tsx';
import { nameOf } from './name-of.ts';
import { RoleTexts } from './role-texts.tsx';
import { teamQuery, useInviteAgain, useRemoveMember } from './team.api.ts';

const InviteDialog = later(async () => (await import('./invite-dialog.tsx')).InviteDialog);
const RemoveDialog = later(
  async () => (await import('../../ui/remove-dialog.tsx')).RemoveDialog,
) as typeof Removal;
const LinkDialog = later(async () => (await import('./invite-dialog.tsx')).LinkDialog);

/** Who works in the account, and with which rights. */
export function TeamPage() {
  const { t } = useTranslation();
  const can = useCan();
  const { previous } = useSession();
  const { data } = useQuery({ ...teamQuery, refetchInterval: usePolling('users') });
  const [isInviting, setInviting] = useState(false);
  const [link, setLink] = useState<Invitation | null>(null);
  const again = useInviteAgain();
  const [leaving, setLeaving] = useState<Member | null>(null);
  const removal = useRemoveMember();
  // The server refuses changes in a session that was opened for somebody else.
  const may = (permission: Parameters<typeof can>[0]) => can(permission) && !previous;
  const create = may('members.create') && (
    <CreateButton onClick={() => setInviting(true)}>{t('team:invite')}</CreateButton>
  );
  const onInvite = ({ id }: Member) =>
    again.mutate(id, {
      onSuccess: (invitation) =>
        invitation.url
          ? setLink(invitation)
          : showSuccess(t('team:sent', { email: invitation.email ?? '' })),
    });
  const rows = data?.data;
  return (
    <>
      <PageHeader title={t('team:title')}>{create}</PageHeader>
      <Stack maw={860} gap="lg">
        {previous ? (
          <Alert color="blue" role="note">
            {t('team:borrowed')}
          </Alert>
        ) : (
          <Text size="sm" c="dimmed" maw={720}>
            {t('team:intro')}
          </Text>
        )}
        {/* As high as a team, so that what follows is not moved. */}
        {!rows && <Skeleton h={600} />}
        {rows && (
          <Stack
            component="ul"
            gap="md"
            m={0}
            p={0}
            style={{ listStyle: 'none' }}
            aria-label={t('team:title')}
          >
            {rows.map((row) => (
              <MemberRow
                key={row.id}
                row={row}
                mayChange={may('members.update')}
                onInvite={may('members.create') ? onInvite : undefined}
                onRemove={may('members.remove') ? setLeaving : undefined}
                isInviting={again.isPending && again.variables === row.id}
              />
            ))}
          </Stack>
        )}
        {rows?.length === 1 && (
          <Empty icon={IconUsers} title={t('team:empty.title')} text={t('team:empty.text')}>
            {create}
          </Empty>
        )}
        {rows && <RoleTexts />}
      </Stack>
      <InviteDialog opened={isInviting} onClose={() => setInviting(false)} />
      <LinkDialog invitation={link} onClose={() => setLink(null)} />
      <RemoveDialog
        row={leaving}
        change={removal}
        words={(row: Member) => ({
          question: t('team:removeQuestion', { name: nameOf(row) }),
          action: t('team:removeOf', { name: nameOf(row) }),
          text: t('team:removeText'),
        })}
        onClose={() => setLeaving(null)}
      />
    </>
  );
}
