import type { Notification } from '@heliograph/contract';
import { Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useLast } from '../../core/use-last.ts';
import { useFormats } from '../../core/use-formats.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { ChannelState } from './channel-state.tsx';
import { placeOf, wordsOf } from './notification-words.ts';
import { ReadMark } from './read-mark.tsx';

interface NotificationDialogProps {
  notification: Notification | null;
  onClose: () => void;
}

export function NotificationDialog({ notification, onClose }: NotificationDialogProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const shown = useLast(notification);
  const words = shown && wordsOf(t, formats, shown);
  const place = shown && placeOf(shown);
  return (
    <Dialog opened={!!notification} onClose={onClose} size={600} title={words?.title}>
      {shown && (
        <Stack>
          {words?.lines.map((line) => (
            <Text key={line}>{line}</Text>
          ))}
          {words?.rich && <RichText nodes={words.rich} />}
          {place && (
            <div>
              <Button component={Link} to={place}>
                {t('notifications:open')}
              </Button>
            </div>
          )}
          <Facts
            facts={[
              ...(shown.channel === 'web'
                ? [{ label: t('notifications:state'), value: <ReadMark isRead={shown.isRead} /> }]
                : []),
              {
                label: t('notifications:channel'),
                value: <ChannelState row={shown} />,
              },
              { label: t('notifications:createdAt'), value: formats.dateTime(shown.createdAt) },
              {
                label: t('notifications:sentAt'),
                value: shown.sentAt && formats.dateTime(shown.sentAt),
              },
              {
                // In the cabinet a notification arrives when it is read.
                label: t(
                  shown.channel === 'web' ? 'notifications:read' : 'notifications:deliveredAt',
                ),
                value: shown.deliveredAt && formats.dateTime(shown.deliveredAt),
              },
              { label: t('notifications:id'), value: <CopyId id={shown.id} /> },
            ]}
          />
        </Stack>
      )}
    </Dialog>
  );
}
