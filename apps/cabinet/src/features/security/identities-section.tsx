import type { Identity, OfferedProvider } from '@heliograph/contract';
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { frontend } from '../../core/frontend.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { useLast } from '../../core/use-last.ts';
import { later } from '../../ui/later.tsx';
import { RemoveDialog } from '../../ui/remove-dialog.tsx';
import { identitiesQuery, useRemoveIdentity } from './security.api.ts';

const IdentityDialog = later(async () => (await import('./identity-dialog.tsx')).IdentityDialog);

/** "Sign-in through other services", where there are some for the user. Texts: the namespace `security`. */
export function IdentitiesSection() {
  const { t } = useTranslation();
  const { data } = useQuery(identitiesQuery);
  const [linked, setLinked] = useState<OfferedProvider | null>(null);
  const [removed, setRemoved] = useState<Identity | null>(null);
  const { isPending, mutate } = useRemoveIdentity();
  const last = useLast(linked);
  if (!data || (!data.identities.length && !data.providers.length)) return null;
  const remove = (id: string, { onSuccess }: { onSuccess: () => void }) =>
    mutate(id, {
      onSuccess: () => {
        onSuccess();
        showSuccess(t('security:identities.removed'));
      },
    });
  return (
    <Paper component="section" withBorder p="md" aria-labelledby="identities">
      <Stack gap="sm" align="flex-start">
        <Title order={2} size="h4" id="identities">
          {t('security:identities.title')}
        </Title>
        <Text size="sm">{t('security:identities.text')}</Text>
        {data.identities.length > 0 && (
          <Stack component="ul" gap="sm" m={0} p={0} w="100%" style={{ listStyle: 'none' }}>
            {data.identities.map((row) => (
              <IdentityRow key={row.id} row={row} onRemove={() => setRemoved(row)} />
            ))}
          </Stack>
        )}
        {/* They return to the address of the installation. */}
        {!frontend.home &&
          data.providers.map((provider) => (
            <Button key={provider.id} variant="default" onClick={() => setLinked(provider)}>
              {t('security:identities.link', { title: provider.title })}
            </Button>
          ))}
      </Stack>
      {last && (
        <IdentityDialog
          key={last.id}
          provider={last}
          opened={linked !== null}
          onClose={() => setLinked(null)}
        />
      )}
      <RemoveDialog
        row={removed}
        words={({ name, provider: { title } }) => ({
          question: t('security:identities.removeTitle', { title }),
          action: t('security:identities.remove'),
          text: t('security:identities.removeText', { name, title }),
        })}
        change={{ isPending, mutate: remove }}
        onClose={() => setRemoved(null)}
      />
    </Paper>
  );
}

function IdentityRow({ row, onRemove }: { row: Identity; onRemove: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { name, provider, createdAt, lastUsedAt, isManaged } = row;
  const { title } = provider;
  const facts = [
    name,
    t('security:identities.created', { time: formats.dateTime(createdAt) }),
    lastUsedAt
      ? t('security:passkeys.used', { time: formats.dateTime(lastUsedAt) })
      : t('security:passkeys.unused'),
    ...(isManaged ? [t('security:identities.managed')] : []),
  ];
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <div style={{ flexGrow: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="sm" c="dimmed">
          {facts.join(' · ')}
        </Text>
      </div>
      {!isManaged && (
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={t('security:identities.removeOf', { title })}
          style={{ flexShrink: 0 }}
          onClick={onRemove}
        >
          {t('security:identities.remove')}
        </Button>
      )}
    </Group>
  );
}
