import type { ContactList } from '@heliograph/contract';
import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconEdit, IconImport, IconTrash } from '../../ui/icons.ts';

interface ContactListActionsProps {
  list: ContactList;
  onImport: () => void;
  onEdit: () => void;
  onRemove: () => void;
}

export function ContactListActions({
  list: { title },
  onImport,
  onEdit,
  onRemove,
}: ContactListActionsProps) {
  const { t } = useTranslation();
  const can = useCan();
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
      {can('contactLists.update') && (
        <IconAction
          icon={IconEdit}
          word="edit"
          label={t('contactLists:edit', { title })}
          shortcut="e"
          onClick={onEdit}
        />
      )}
      {can('contactLists.remove') && (
        <IconAction
          icon={IconTrash}
          word="remove"
          label={t('contactLists:remove', { title })}
          onClick={onRemove}
        />
      )}
    </Group>
  );
}
