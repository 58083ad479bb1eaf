import type { Passkey } from '@heliograph/contract';
import { Anchor, Badge, Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { frontend } from '../../core/frontend.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { useLast } from '../../core/use-last.ts';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconEdit, IconTrash } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { passkeysQuery, useRemovePasskey } from './security.api.ts';

const PasskeyDialog = later(async () => (await import('./passkey-dialog.tsx')).PasskeyDialog);
const ConfirmDialog = later(
  async () => (await import('../../ui/confirm-dialog.tsx')).ConfirmDialog,
);

/** "Passkeys": the devices that sign in without a password. Texts: the namespace `security`. */
export function PasskeysSection() {
  const { t } = useTranslation();
  const { data: rows } = useQuery(passkeysQuery);
  /** A new one, or one to rename. */
  const [edited, setEdited] = useState<Passkey | 'new' | null>(null);
  const [removed, setRemoved] = useState<Passkey | null>(null);
  const remove = useRemovePasskey();
  const last = useLast(edited);
  const leaving = useLast(removed);
  if (frontend.home) return <Elsewhere home={frontend.home} />;
  if (!frontend.passkeys) return null;
  const isSupported = 'PublicKeyCredential' in window;
  const onRemove = (id: string) =>
    remove.mutate(id, {
      onSuccess: () => {
        setRemoved(null);
        showSuccess(t('security:passkeys.removed'));
      },
    });
  return (
    <Paper component="section" withBorder p="md" aria-labelledby="passkeys">
      <Stack gap="sm" align="flex-start">
        <Title order={2} size="h4" id="passkeys">
          {t('security:passkeys.title')}
        </Title>
        <Text size="sm">{t('security:passkeys.text')}</Text>
        {!rows && <Skeleton h={36} w={160} />}
        {rows?.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('security:passkeys.none')}
          </Text>
        )}
        {rows && rows.length > 0 && (
          <Stack component="ul" gap="sm" m={0} p={0} w="100%" style={{ listStyle: 'none' }}>
            {rows.map((row) => (
              <PasskeyRow
                key={row.id}
                row={row}
                onRename={() => setEdited(row)}
                onRemove={() => setRemoved(row)}
              />
            ))}
          </Stack>
        )}
        {rows && isSupported && (
          <Button variant={rows.length ? 'default' : 'filled'} onClick={() => setEdited('new')}>
            {t('security:passkeys.add')}
          </Button>
        )}
        {!isSupported && (
          <Text size="sm" c="dimmed">
            {t('security:passkeys.unsupported')}
          </Text>
        )}
      </Stack>
      {last && (
        <PasskeyDialog
          key={last === 'new' ? last : last.id}
          row={last === 'new' ? null : last}
          opened={edited !== null}
          onClose={() => setEdited(null)}
        />
      )}
      {leaving && (
        <ConfirmDialog
          opened={removed !== null}
          title={t('security:passkeys.removeTitle')}
          action={t('security:passkeys.remove')}
          busy={remove.isPending}
          onConfirm={() => onRemove(leaving.id)}
          onClose={() => setRemoved(null)}
        >
          {t('security:passkeys.removeText', { title: leaving.title })}
        </ConfirmDialog>
      )}
    </Paper>
  );
}

/** At the domain of a brand there are no passkeys: they are made for the address of the installation. */
function Elsewhere({ home }: { home: string }) {
  const { t } = useTranslation();
  return (
    <Paper component="section" withBorder p="md" aria-labelledby="passkeys">
      <Title order={2} size="h4" id="passkeys" mb="sm">
        {t('security:passkeys.title')}
      </Title>
      <Text size="sm">
        {t('security:elsewhere')}{' '}
        <Anchor underline="always" href={`${home}/account/password`}>
          {new URL(home).host}
        </Anchor>
      </Text>
    </Paper>
  );
}

interface PasskeyRowProps {
  row: Passkey;
  onRename: () => void;
  onRemove: () => void;
}

function PasskeyRow({ row, onRename, onRemove }: PasskeyRowProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { title, isSynced, createdAt, lastUsedAt } = row;
  const times = [
    t('security:passkeys.created', { time: formats.dateTime(createdAt) }),
    lastUsedAt
      ? t('security:passkeys.used', { time: formats.dateTime(lastUsedAt) })
      : t('security:passkeys.unused'),
  ];
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <div style={{ flexGrow: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {title}
          </Text>
          {isSynced && (
            <Badge variant="light" color="gray" size="sm" tt="none">
              {t('security:passkeys.synced')}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {times.join(' · ')}
        </Text>
      </div>
      <Group gap={4} wrap="nowrap">
        <IconAction
          icon={IconEdit}
          word="rename"
          label={t('security:passkeys.renameOf', { title })}
          onClick={onRename}
        />
        <IconAction
          icon={IconTrash}
          word="remove"
          label={t('security:passkeys.removeOf', { title })}
          onClick={onRemove}
        />
      </Group>
    </Group>
  );
}
