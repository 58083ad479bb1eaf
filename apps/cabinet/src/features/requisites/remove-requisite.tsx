import type { Requisite } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { RemoveDialog } from '../../ui/remove-dialog.tsx';
import { useRemoveRequisite } from './requisites.api.ts';

interface RemoveRequisiteProps {
  row: Requisite | null;
  onClose: () => void;
}

export function RemoveRequisite(props: RemoveRequisiteProps) {
  const { t } = useTranslation();
  return (
    <RemoveDialog
      {...props}
      words={({ title }) => ({
        question: t('requisites:removeQuestion', { title }),
        action: t('requisites:remove', { title }),
        text: t('requisites:removeText'),
      })}
      change={useRemoveRequisite()}
    />
  );
}
