import type { Suppression } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { RemoveDialog } from '../../ui/remove-dialog.tsx';
import { useRemoveSuppression } from './suppressions.api.ts';

interface RemoveSuppressionProps {
  row: Suppression | null;
  onClose: () => void;
}

export function RemoveSuppression(props: RemoveSuppressionProps) {
  const { t } = useTranslation();
  return (
    <RemoveDialog
      {...props}
      words={({ address }) => ({
        question: t('suppressions:removeQuestion', { address }),
        action: t('suppressions:remove', { address }),
        text: t('suppressions:removeText'),
      })}
      change={useRemoveSuppression()}
    />
  );
}
