import { contactLists } from '@heliograph/contract';
import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../core/api.ts';
import { ImportForm } from './import-form.tsx';

/** Reads a spreadsheet into one list; `?import=<id>` opens it. */
export function ImportContacts({
  listId,
  onClose,
}: {
  listId: string | null;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const last = useRef(listId);
  if (listId) last.current = listId;
  const id = last.current ?? '';
  const { data } = useQuery({
    queryKey: ['contactLists', 'get', id],
    queryFn: ({ signal }) => api(contactLists.get, { params: { id }, query: {}, signal }),
    enabled: !!listId,
  });
  return (
    <Modal
      opened={!!listId}
      onClose={onClose}
      title={data ? t('contactLists:importInto', { title: data.title }) : t('contactLists:import')}
      size={600}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <ImportForm listId={id} onClose={onClose} />
    </Modal>
  );
}
