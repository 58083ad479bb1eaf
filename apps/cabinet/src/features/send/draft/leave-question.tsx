import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { OVER } from '../../../core/forms/on-top.ts';
import { Dialog } from '../../../ui/dialog.tsx';

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
