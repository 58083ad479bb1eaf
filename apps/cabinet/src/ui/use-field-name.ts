import type { ContactField } from '@heliograph/domain';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

/** The name of a contact field: "Phone", "Field 7". */
export function useFieldName(): (field: ContactField) => string {
  const { t } = useTranslation();
  return useCallback(
    (field) =>
      field.startsWith('custom')
        ? t('contactLists:customField', { number: Number(field.slice('custom'.length)) })
        : t(`contactLists:field.${field}`),
    [t],
  );
}
