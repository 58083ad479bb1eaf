import type { OtpTemplate } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { RemoveDialog } from '../../ui/remove-dialog.tsx';
import { useRemoveTemplate } from './widgets.api.ts';

interface RemoveTemplateProps {
  row: OtpTemplate | null;
  onClose: () => void;
}

export function RemoveTemplate(props: RemoveTemplateProps) {
  const { t } = useTranslation();
  return (
    <RemoveDialog
      {...props}
      words={({ name }) => ({
        question: t('widgets:templates.removeQuestion', { name }),
        action: t('widgets:remove', { name }),
        text: t('widgets:templates.removeText'),
      })}
      change={useRemoveTemplate()}
    />
  );
}
