import type { ContactList } from '@heliograph/contract';
import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { IconImport, IconTrash } from '../../ui/icons.ts';

interface ContactListActionsProps {
  list: ContactList;
  onImport: () => void;
  onRemove: () => void;
}

export function ContactListActions({
  list: { title },
  onImport,
  onRemove,
}: ContactListActionsProps) {
  const { t } = useTranslation();
  const can = useCan();
  const remove = t('contactLists:remove', { title });
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {can('contacts.create') && (
        <Button
          variant="subtle"
          size="compact-sm"
          fw={500}
          leftSection={<IconImport size={18} aria-hidden />}
          aria-label={t('contactLists:importInto', { title })}
          onClick={onImport}
        >
          {t('contactLists:import')}
        </Button>
      )}
      {can('contactLists.remove') && (
        <Tooltip label={remove}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={remove}
            onClick={onRemove}
          >
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  );
}
