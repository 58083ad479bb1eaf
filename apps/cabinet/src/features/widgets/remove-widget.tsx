import type { OtpWidget } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { RemoveDialog } from '../../ui/remove-dialog.tsx';
import { useRemoveWidget } from './widgets.api.ts';

interface RemoveWidgetProps {
  row: OtpWidget | null;
  onClose: () => void;
}

export function RemoveWidget(props: RemoveWidgetProps) {
  const { t } = useTranslation();
  return (
    <RemoveDialog
      {...props}
      words={({ name }) => ({
        question: t('widgets:removeQuestion', { name }),
        action: t('widgets:remove', { name }),
        text: t('widgets:removeText'),
      })}
      change={useRemoveWidget()}
    />
  );
}
