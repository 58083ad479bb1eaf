import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useLast } from '../../../core/use-last.ts';
import { contactListQuery } from '../contact-lists.api.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ImportSteps } from './import-steps.tsx';

interface ImportDialogProps {
  listId: string | null;
  onClose: () => void;
}

/** Reads a spreadsheet into one list; `?import=<id>` opens it. */
export function ImportDialog({ listId, onClose }: ImportDialogProps) {
  const { t } = useTranslation();
  const id = useLast(listId) ?? '';
  const { data } = useQuery({ ...contactListQuery(id), enabled: !!listId });
  return (
    <Dialog
      opened={!!listId}
      onClose={onClose}
      title={data ? t('contactLists:importInto', { title: data.title }) : t('contactLists:import')}
      size={800}
    >
      <ImportSteps listId={id} onClose={onClose} />
    </Dialog>
  );
}
