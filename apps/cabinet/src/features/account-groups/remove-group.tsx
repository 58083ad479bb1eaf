import type { GroupRef } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { RemoveDialog } from '../../ui/remove-dialog.tsx';
import { useRemoveGroup, type Noun } from './account-groups.api.ts';

interface RemoveGroupProps {
  noun: Noun;
  row: GroupRef | null;
  onClose: () => void;
}

export function RemoveGroup({ noun, ...props }: RemoveGroupProps) {
  const { t } = useTranslation();
  return (
    <RemoveDialog
      {...props}
      words={({ title }) => ({
        question: t('accountGroups:removeQuestion', { title }),
        action: t('accountGroups:remove', { title }),
        text: t(`accountGroups:removeText.${noun}`),
      })}
      change={useRemoveGroup(noun)}
    />
  );
}
