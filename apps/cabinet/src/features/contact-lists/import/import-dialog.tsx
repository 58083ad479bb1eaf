import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { contactListQuery } from '../contact-lists.api.ts';
import { ImportSteps } from './import-steps.tsx';

interface ImportDialogProps {
  listId: string | null;
  onClose: () => void;
}

/** Reads a spreadsheet into one list; `?import=<id>` opens it. */
export function ImportDialog({ listId, onClose }: ImportDialogProps) {
  const { t } = useTranslation();
  const last = useRef(listId);
  if (listId) last.current = listId;
  const id = last.current ?? '';
  const { data } = useQuery({ ...contactListQuery(id), enabled: !!listId });
  return (
    <Modal
      opened={!!listId}
      onClose={onClose}
      title={data ? t('contactLists:importInto', { title: data.title }) : t('contactLists:import')}
      size={800}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <ImportSteps listId={id} onClose={onClose} />
    </Modal>
  );
}
