import type { OpenSession } from '@heliograph/contract';
import { placeText } from '@heliograph/domain';
import { Button, Group, Paper, Skeleton, Stack, Title, Badge, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { keysOf } from '../../core/query-keys.ts';
import { usePolling } from '../../core/realtime/live.ts';
import { useSocketEvent } from '../../core/realtime/socket-events.ts';
import { useSession } from '../../core/session/use-session.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { IconPhone, IconSystem } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { Time } from '../../ui/time.tsx';
import { SESSIONS_SHOWN, sessionsQuery, useEndOthers, useEndSession } from './security.api.ts';

/** The longest list of the API. */
const MAX_SHOWN = 200;

const ConfirmDialog = later(
  async () => (await import('../../ui/confirm-dialog.tsx')).ConfirmDialog,
);

/** "Open sessions": where the user is signed in, and how to sign out there. Texts: the namespace `security`. */
export function SessionsSection() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { previous } = useSession();
  const [limit, setLimit] = useState(SESSIONS_SHOWN);
  const [isAsking, setAsking] = useState(false);
  const { data: page } = useQuery({
    ...sessionsQuery(limit),
    refetchInterval: usePolling('sessions'),
  });
  const end = useEndSession();
  const others = useEndOthers();
  useSocketEvent('sessions.changed', () => {
    void client.invalidateQueries({ queryKey: keysOf('sessions').all });
  });
  const rows = page?.data ?? [];
  const total = page?.total ?? 0;
  const onEnd = (id: string) =>
    end.mutate(id, { onSuccess: () => showSuccess(t('security:sessions.ended')) });
  const onEndOthers = () =>
    others.mutate(undefined, {
      onSuccess: () => {
        setAsking(false);
        showSuccess(t('security:sessions.endedOthers'));
      },
    });
  return (
    <Paper component="section" withBorder p="md" mb="md" aria-labelledby="open-sessions">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4" id="open-sessions">
          {t('security:sessions.title')}
        </Title>
        {!previous && total > 1 && (
          <Button variant="default" size="xs" onClick={() => setAsking(true)}>
            {t('security:sessions.endOthers')}
          </Button>
        )}
      </Group>
      {!page && <Skeleton h={64} />}
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {rows.map((row) => (
          <SessionRow
            key={row.id}
            row={row}
            isEnding={end.isPending && end.variables === row.id}
            onEnd={previous || row.isCurrent ? undefined : onEnd}
          />
        ))}
      </Stack>
      {total > rows.length && limit < MAX_SHOWN && (
        <Button
          variant="subtle"
          size="xs"
          mt="sm"
          onClick={() => setLimit(Math.min(MAX_SHOWN, limit * 4))}
        >
          {t('security:sessions.more', { left: total - rows.length })}
        </Button>
      )}
      <ConfirmDialog
        opened={isAsking}
        title={t('security:sessions.endOthersTitle')}
        action={t('security:sessions.endOthers')}
        busy={others.isPending}
        onConfirm={onEndOthers}
        onClose={() => setAsking(false)}
      >
        {t('security:sessions.endOthersText')}
      </ConfirmDialog>
    </Paper>
  );
}

interface SessionRowProps {
  row: OpenSession;
  isEnding: boolean;
  /** Absent where the session cannot be ended. */
  onEnd?: (id: string) => void;
}

/** An open session: device, place and times. */
function SessionRow({ row, isEnding, onEnd }: SessionRowProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { id, browser, system, device, ip, isCurrent, Actor } = row;
  const name = [browser, system].filter(Boolean).join(', ') || t('security:sessions.unknownDevice');
  const place = placeText(formats.locale, row.place);
  const where = [ip, place].filter(Boolean).join(' · ');
  const Icon = device === 'mobile' || device === 'tablet' ? IconPhone : IconSystem;
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <Icon size={20} aria-hidden style={{ flexShrink: 0, marginTop: 2 }} />
      <div style={{ flexGrow: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {name}
          </Text>
          {isCurrent && (
            <Badge variant="light" color="green" size="sm">
              {t('security:sessions.current')}
            </Badge>
          )}
          {Actor && (
            <Badge variant="light" color="gray" size="sm" tt="none">
              {t('security:sessions.by', { username: Actor.username })}
            </Badge>
          )}
        </Group>
        {where && (
          <Text size="sm" c="dimmed">
            <Blurred what={t('security:sessions.where')}>{where}</Blurred>
          </Text>
        )}
        <Text size="xs" c="dimmed">
          {t('security:sessions.signedIn')} <Time at={row.signedInAt} /> ·{' '}
          {t('security:sessions.lastUsed')} <Time at={row.lastUsedAt} />
        </Text>
      </div>
      {onEnd && (
        <Button
          variant="default"
          size="xs"
          style={{ flexShrink: 0 }}
          loading={isEnding}
          aria-label={t('security:sessions.endOf', { device: name })}
          onClick={() => onEnd(id)}
        >
          {t('security:sessions.end')}
        </Button>
      )}
    </Group>
  );
}
