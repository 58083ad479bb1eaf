import type { IdentityProvider } from '@heliograph/contract';
import { Badge, Group, Paper, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { useLast } from '../../core/use-last.ts';
import { CreateButton } from '../../list/create-button.tsx';
import { CopyId } from '../../ui/copy-id.tsx';
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { Facts } from '../../ui/facts.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconEdit, IconLogin, IconTrash } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RemoveDialog } from '../../ui/remove-dialog.tsx';
import { identityProvidersQuery, useRemoveProvider } from './identity-providers.api.ts';

const ProviderDialog = later(
  async () => (await import('./identity-provider-dialog.tsx')).ProviderDialog,
);

/** `/identityProviders`: the services of OpenID Connect that sign users in, for administrators. */
export function IdentityProvidersPage() {
  const { t } = useTranslation();
  const can = useCan();
  const { data, error, refetch } = useQuery(identityProvidersQuery);
  /** A new one, or one to change. */
  const [edited, setEdited] = useState<IdentityProvider | 'new' | null>(null);
  const [removed, setRemoved] = useState<IdentityProvider | null>(null);
  const last = useLast(edited);
  const formats = useFormats();
  const { isPending, mutate } = useRemoveProvider();
  const remove = (id: string, { onSuccess }: { onSuccess: () => void }) =>
    mutate(id, {
      onSuccess() {
        onSuccess();
        showSuccess(t('identityProviders:removed'));
      },
    });
  const create = can('identityProviders.create') && (
    <CreateButton onClick={() => setEdited('new')}>{t('identityProviders:create')}</CreateButton>
  );
  const providers = data?.data;
  return (
    <>
      <PageHeader title={t('identityProviders:title')}>{!!providers?.length && create}</PageHeader>
      {!providers && error ? (
        <ErrorCard
          title={t('identityProviders:failed')}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : !providers ? (
        <DetailsSkeleton />
      ) : providers.length === 0 ? (
        <Empty
          icon={IconLogin}
          title={t('identityProviders:emptyTitle')}
          text={t('identityProviders:emptyText')}
        >
          {create}
        </Empty>
      ) : (
        <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
          {providers.map((row) => (
            <Provider
              key={row.id}
              row={row}
              onEdit={can('identityProviders.update') && (() => setEdited(row))}
              onRemove={can('identityProviders.remove') && (() => setRemoved(row))}
            />
          ))}
        </Stack>
      )}
      {last && (
        <ProviderDialog
          key={last === 'new' ? last : last.id}
          row={last === 'new' ? null : last}
          opened={edited !== null}
          onClose={() => setEdited(null)}
        />
      )}
      <RemoveDialog
        row={removed}
        words={({ title, users }) => ({
          question: t('identityProviders:removeQuestion', { title }),
          action: t('identityProviders:remove', { title }),
          text: t('identityProviders:removeText', { users: formats.number(users) }),
        })}
        change={{ isPending, mutate: remove }}
        onClose={() => setRemoved(null)}
      />
    </>
  );
}

interface ProviderProps {
  row: IdentityProvider;
  onEdit: false | (() => void);
  onRemove: false | (() => void);
}

function Provider({ row, onEdit, onRemove }: ProviderProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { title } = row;
  return (
    <Paper component="li" withBorder p="md">
      <Group justify="space-between" wrap="nowrap" align="flex-start" mb="sm">
        <Group gap="xs" miw={0}>
          <Title order={2} size="h5" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {row.isRequired && <Badge variant="light">{t('identityProviders:required')}</Badge>}
          {!row.isActive && (
            <Badge color="gray" variant="light">
              {t('identityProviders:off')}
            </Badge>
          )}
        </Group>
        <Group gap={4} wrap="nowrap">
          {onEdit && (
            <IconAction
              icon={IconEdit}
              label={t('identityProviders:edit', { title })}
              onClick={onEdit}
            />
          )}
          {onRemove && (
            <IconAction
              icon={IconTrash}
              label={t('identityProviders:remove', { title })}
              onClick={onRemove}
            />
          )}
        </Group>
      </Group>
      <Facts
        facts={[
          {
            label: t('identityProviders:issuer'),
            value: <span style={{ overflowWrap: 'anywhere' }}>{row.issuer}</span>,
          },
          {
            label: t('identityProviders:for'),
            value: row.account
              ? t('identityProviders:ofAccount', { username: row.account.username })
              : t('identityProviders:all'),
          },
          {
            label: t('identityProviders:levels'),
            value: row.levels.map((level) => t(`users:levels.${level}`)).join(', '),
          },
          {
            label: t('identityProviders:secondFactor'),
            value: t(
              row.trustsSecondFactor ? 'identityProviders:trusted' : 'identityProviders:notTrusted',
            ),
          },
          ...(row.roles.length
            ? [
                {
                  label: t('identityProviders:roles'),
                  value: row.roles
                    .map(({ group, role }) =>
                      t('identityProviders:roleOf', {
                        group: group ?? t('identityProviders:everybody'),
                        role: t(`team:roles.${role}`),
                      }),
                    )
                    .join(', '),
                },
              ]
            : []),
          { label: t('identityProviders:users'), value: formats.number(row.users) },
          {
            label: t('identityProviders:redirectUri'),
            value: <CopyId id={row.redirectUri} />,
          },
          {
            label: t('identityProviders:logoutUri'),
            value: <CopyId id={row.logoutUri} />,
          },
        ]}
      />
    </Paper>
  );
}
