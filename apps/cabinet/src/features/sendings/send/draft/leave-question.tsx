import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../../ui/dialog.tsx';

interface LeaveQuestionProps {
  opened: boolean;
  isKept: boolean;
  onStay: () => void;
  onDiscard: () => void;
  onLeave: () => void;
}

export function LeaveQuestion({ opened, isKept, onStay, onDiscard, onLeave }: LeaveQuestionProps) {
  const { t } = useTranslation();
  return (
    <Dialog opened={opened} onClose={onStay} title={t('send:leave.title')} size={500}>
      <Text size="sm" mb="lg">
        {isKept ? t('send:leave.kept') : t('send:leave.lost')}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onStay} data-autofocus>
          {t('send:leave.stay')}
        </Button>
        <Button variant="default" onClick={onDiscard}>
          {t('send:leave.discard')}
        </Button>
        {isKept && <Button onClick={onLeave}>{t('send:leave.go')}</Button>}
      </Group>
    </Dialog>
  );
}
