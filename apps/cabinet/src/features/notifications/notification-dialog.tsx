import type { Notification } from '@heliograph/contract';
import { Modal, Stack, Text } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import { Facts } from '../../ui/facts.tsx';
import { wordsOf } from './notification-words.ts';
import { ReadMark } from './read-mark.tsx';

interface NotificationDialogProps {
  notification: Notification | undefined;
  onClose: () => void;
}

export function NotificationDialog({ notification, onClose }: NotificationDialogProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  // While it closes it still shows what it showed.
  const last = useRef(notification);
  if (notification) last.current = notification;
  const shown = last.current;
  const words = shown && wordsOf(t, formats, shown);
  return (
    <Modal
      opened={!!notification}
      onClose={onClose}
      size={600}
      title={words?.title}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {shown && (
        <Stack>
          {words?.lines.map((line) => (
            <Text key={line}>{line}</Text>
          ))}
          <Facts
            facts={[
              { label: t('notifications:state'), value: <ReadMark isRead={shown.isRead} /> },
              { label: t('notifications:sentAt'), value: formats.dateTime(shown.createdAt) },
              { label: t('notifications:id'), value: <CopyId id={shown.id} /> },
            ]}
          />
        </Stack>
      )}
    </Modal>
  );
}
