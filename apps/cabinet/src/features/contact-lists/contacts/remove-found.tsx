import { Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showSuccess } from '../../../core/toast.tsx';
import { useFormats } from '../../../core/use-formats.ts';
import { useLast } from '../../../core/use-last.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { useRemoveFound, type FoundContacts } from './contacts.api.ts';

interface RemoveFoundProps {
  /** Null closes the dialog. */
  where: FoundContacts | null;
  /** How many are found, as it is shown: "20", "More than 10,000 rows". */
  count: string;
  onClose: () => void;
}

/** Removes all contacts of a list that its filters find. */
export function RemoveFound({ where, count, onClose }: RemoveFoundProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const last = useLast(where, !!where);
  const [sofar, setSofar] = useState(0);
  const { mutate, isPending } = useRemoveFound(setSofar);
  const number = (of: number) => ({ count: of, number: formats.number(of) });
  const remove = () => {
    setSofar(0);
    mutate(last!, {
      onSuccess: ({ removed }) => showSuccess(t('contactLists:contact.removed', number(removed))),
      onSettled: onClose,
    });
  };
  return (
    <ConfirmDialog
      opened={!!where}
      title={t('contactLists:contact.removeFoundQuestion', { count })}
      action={t('contactLists:contact.removeFound')}
      busy={isPending}
      onConfirm={remove}
      onClose={onClose}
    >
      {t('contactLists:contact.removeText')}
      <Text component="span" size="sm" c="dimmed" role="status" display="block">
        {isPending && sofar > 0 && t('contactLists:contact.removed', number(sofar))}
      </Text>
    </ConfirmDialog>
  );
}
