import type { Pattern } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { RemoveDialog } from '../../ui/remove-dialog.tsx';
import { useRemovePattern } from './patterns.api.ts';

interface RemovePatternProps {
  row: Pattern | null;
  onClose: () => void;
}

export function RemovePattern(props: RemovePatternProps) {
  const { t } = useTranslation();
  return (
    <RemoveDialog
      {...props}
      words={({ title }) => ({
        question: t('patterns:removeQuestion', { title }),
        action: t('patterns:remove', { title }),
        text: t('patterns:removeText'),
      })}
      change={useRemovePattern()}
    />
  );
}
