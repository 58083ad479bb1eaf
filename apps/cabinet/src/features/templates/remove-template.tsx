import type { TemplateRow } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { RemoveDialog } from '../../ui/remove-dialog.tsx';
import { useRemoveTemplate } from './templates.api.ts';

interface RemoveTemplateProps {
  row: TemplateRow | null;
  onClose: () => void;
}

export function RemoveTemplate(props: RemoveTemplateProps) {
  const { t } = useTranslation();
  return (
    <RemoveDialog
      {...props}
      words={({ title }) => ({
        question: t('templates:removeQuestion', { title }),
        action: t('templates:remove', { title }),
        text: t('templates:removeText'),
      })}
      change={useRemoveTemplate()}
    />
  );
}
