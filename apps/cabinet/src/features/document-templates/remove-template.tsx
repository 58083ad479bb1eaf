import type { DocumentTemplate } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { RemoveDialog } from '../../ui/remove-dialog.tsx';
import { useRemoveTemplate } from './document-templates.api.ts';

interface RemoveTemplateProps {
  row: DocumentTemplate | null;
  onClose: () => void;
}

export function RemoveTemplate(props: RemoveTemplateProps) {
  const { t } = useTranslation();
  return (
    <RemoveDialog
      {...props}
      words={({ title }) => ({
        question: t('documentTemplates:removeQuestion', { title }),
        action: t('documentTemplates:remove', { title }),
        text: t('documentTemplates:removeText'),
      })}
      change={useRemoveTemplate()}
    />
  );
}
