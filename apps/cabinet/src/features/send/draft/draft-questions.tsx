import { Alert, Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { OVER } from '../../../core/forms/on-top.ts';
import { useFormats } from '../../../core/use-formats.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { IconInfo } from '../../../ui/icons.ts';

interface DraftNoteProps {
  at: number;
  /** The form has other values, requested by the URL. */
  isWaiting: boolean;
  onDiscard: () => void;
  /** Continues with the draft: it is in the form already, or restored now. */
  onKeep: () => void;
}

/** Says that a draft was restored, or offers to restore it. */
export function DraftNote({ at, isWaiting, onDiscard, onKeep }: DraftNoteProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <Alert color="blue" mb="md" p="sm" role="status" icon={<IconInfo aria-hidden />}>
      <Group gap="sm" justify="space-between">
        <Text size="sm">
          {t(isWaiting ? 'send:draftWaits' : 'send:restored', {
            time: formats.dateTime(new Date(at).toISOString()),
          })}
        </Text>
        <Group gap="xs">
          <Button size="compact-sm" variant="default" onClick={onDiscard}>
            {t('send:discard')}
          </Button>
          <Button size="compact-sm" variant="default" onClick={onKeep}>
            {t(isWaiting ? 'send:openDraft' : 'send:keep')}
          </Button>
        </Group>
      </Group>
    </Alert>
  );
}

interface LeaveQuestionProps {
  opened: boolean;
  onStay: () => void;
  onDiscard: () => void;
}

export function LeaveQuestion({ opened, onStay, onDiscard }: LeaveQuestionProps) {
  const { t } = useTranslation();
  return (
    // Over the menu whose entry leads away.
    <Dialog {...OVER} opened={opened} onClose={onStay} title={t('send:leave.title')} size={500}>
      <Text size="sm" mb="lg">
        {t('send:leave.lost')}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onStay} data-autofocus>
          {t('send:leave.stay')}
        </Button>
        <Button variant="default" onClick={onDiscard}>
          {t('send:leave.discard')}
        </Button>
      </Group>
    </Dialog>
  );
}
