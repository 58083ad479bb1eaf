import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from './dialog.tsx';

interface ConfirmDialogProps {
  opened: boolean;
  title: string;
  /** The effect, with the name of the object. */
  children: ReactNode;
  /** Names the action: "Delete «Winter sale»", never "OK". */
  action: string;
  /** Of the button that does nothing, where “Cancel” would sound like the action. */
  keep?: string;
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before an action that cannot be undone. It stays open until the action is done. */
export function ConfirmDialog({
  opened,
  title,
  children,
  action,
  keep,
  busy,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog opened={opened} onClose={onClose} busy={busy} title={title} size={500}>
      <Text size="sm" mb="lg">
        {children}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={busy} data-autofocus>
          {keep ?? t('cancel')}
        </Button>
        <Button
          color="red.9"
          onClick={onConfirm}
          loading={busy}
          mah="none"
          h="auto"
          mih={36}
          py={6}
          // It names what it is done to, in as many lines as that takes.
          styles={{ label: { whiteSpace: 'normal', overflowWrap: 'anywhere', lineHeight: 1.35 } }}
        >
          {action}
        </Button>
      </Group>
    </Dialog>
  );
}
