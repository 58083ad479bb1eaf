import type { Company } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { RemoveDialog } from '../../ui/remove-dialog.tsx';
import { useRemoveCompany } from './companies.api.ts';

interface RemoveCompanyProps {
  row: Company | null;
  onClose: () => void;
}

export function RemoveCompany(props: RemoveCompanyProps) {
  const { t } = useTranslation();
  return (
    <RemoveDialog
      {...props}
      words={({ title }) => ({
        question: t('companies:removeQuestion', { title }),
        action: t('companies:remove', { title }),
        text: t('companies:removeText'),
      })}
      change={useRemoveCompany()}
    />
  );
}
