import { Button, Group, Modal, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { OVER } from './on-top.ts';

interface LeaveQuestionProps {
  id: string;
  opened: boolean;
  onStay: () => void;
  onDiscard: () => void;
}

/** Asks before unsaved changes are lost. */
export function LeaveQuestion({ id, opened, onStay, onDiscard }: LeaveQuestionProps) {
  const { t } = useTranslation();
  return (
    <Modal
      {...OVER}
      data-dialog={id}
      opened={opened}
      onClose={onStay}
      title={t('common:discard.title')}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <Text size="sm" mb="lg">
        {t('common:discard.text')}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onDiscard}>
          {t('common:discard.go')}
        </Button>
        <Button onClick={onStay} data-autofocus>
          {t('common:discard.stay')}
        </Button>
      </Group>
    </Modal>
  );
}
