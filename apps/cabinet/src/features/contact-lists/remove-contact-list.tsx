import type { ContactList } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { RemoveDialog } from '../../ui/remove-dialog.tsx';
import { useRemoveContactList } from './contact-lists.api.ts';

interface RemoveContactListProps {
  row: ContactList | null;
  onClose: () => void;
}

export function RemoveContactList(props: RemoveContactListProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <RemoveDialog
      {...props}
      words={({ title, count }) => ({
        question: t('contactLists:removeQuestion', { title }),
        action: t('contactLists:remove', { title }),
        text: t('contactLists:removeText', { count, number: formats.number(count) }),
      })}
      change={useRemoveContactList()}
    />
  );
}
