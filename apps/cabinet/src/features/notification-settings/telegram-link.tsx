import type { NotificationSettings } from '@heliograph/contract';
import { Anchor, Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import {
  notificationSettingsQuery,
  useLinkTelegram,
  useUnlinkTelegram,
} from './notification-settings.api.ts';

interface TelegramLinkProps {
  telegram: NotificationSettings['telegram'];
  email: NotificationSettings['email'];
  readOnly: boolean;
}

/** Where the notifications go besides the cabinet. */
export function TelegramLink({ telegram, email, readOnly }: TelegramLinkProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const link = useLinkTelegram();
  const unlink = useUnlinkTelegram();
  const { state, chat, linkedAt } = telegram;
  const onUnlinked = () => showSuccess(t('notificationSettings:telegram.removed'));
  return (
    <Paper withBorder p="md">
      <Title order={3} size="h5" mb="sm">
        {t('notificationSettings:addresses')}
      </Title>
      <Stack gap="sm">
        {state !== 'off' && (
          <Group justify="space-between" gap="xs">
            <Text size="sm">
              {state === 'linked'
                ? t('notificationSettings:telegram.linked', {
                    chat,
                    time: formats.dateTime(linkedAt!),
                  })
                : t(`notificationSettings:telegram.${state}`)}
            </Text>
            {state === 'unlinked' && !readOnly && (
              <Button
                size="xs"
                variant="default"
                loading={link.isPending}
                onClick={() => link.mutate()}
              >
                {t('notificationSettings:telegram.link')}
              </Button>
            )}
            {state === 'linked' && !readOnly && (
              <Button
                size="xs"
                variant="default"
                loading={unlink.isPending}
                onClick={() => unlink.mutate(undefined, { onSuccess: onUnlinked })}
              >
                {t('notificationSettings:telegram.unlink')}
              </Button>
            )}
          </Group>
        )}
        <Text size="sm">
          {t(`notificationSettings:email.${email.state}`, { address: email.address })}{' '}
          {email.state === 'unconfirmed' && (
            <Anchor component={Link} to="/account/profile" inherit>
              {t('notificationSettings:email.confirm')}
            </Anchor>
          )}
        </Text>
      </Stack>
      <CodeDialog
        code={state === 'linked' ? null : (link.data ?? null)}
        isLinked={state === 'linked' && !!link.data}
        onClose={() => link.reset()}
      />
    </Paper>
  );
}

const CHECK_MS = 2000;

interface CodeDialogProps {
  code: { code: string; url: string; bot: string; expiresAt: string } | null;
  isLinked: boolean;
  onClose: () => void;
}

/** The code, until the bot has received it. */
function CodeDialog({ code, isLinked, onClose }: CodeDialogProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  useQuery({ ...notificationSettingsQuery, refetchInterval: CHECK_MS, enabled: !!code });
  useEffect(() => {
    if (!isLinked) return;
    showSuccess(t('notificationSettings:telegram.done'));
    onClose();
  }, [isLinked, onClose, t]);
  return (
    <Dialog
      opened={!!code}
      onClose={onClose}
      size={500}
      title={t('notificationSettings:telegram.link')}
    >
      {code && (
        <Stack gap="md">
          <Text>{t('notificationSettings:telegram.how', { bot: code.bot })}</Text>
          <Button component="a" href={code.url} target="_blank" rel="noopener noreferrer">
            {t('notificationSettings:telegram.open')}
          </Button>
          <Group gap="xs">
            <Code fz="md">{`/start ${code.code}`}</Code>
            <CopyButton value={`/start ${code.code}`}>
              {({ copied, copy }) => (
                <Button size="xs" variant="default" onClick={copy}>
                  {t(`notificationSettings:telegram.${copied ? 'copied' : 'copy'}`)}
                </Button>
              )}
            </CopyButton>
          </Group>
          <div style={{ maxWidth: 200 }}>
            <QrCode text={code.url} label={t('notificationSettings:telegram.qr')} />
          </div>
          <Text size="sm" c="dimmed" role="status">
            {t('notificationSettings:telegram.waiting', { time: formats.dateTime(code.expiresAt) })}
          </Text>
        </Stack>
      )}
    </Dialog>
  );
}
