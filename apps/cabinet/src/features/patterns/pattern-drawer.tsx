import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { RowDialog } from '../../ui/row-dialog.tsx';
import { PatternForm } from './pattern-form.tsx';
import { patternQuery } from './patterns.api.ts';

export function PatternDrawer() {
  const { t } = useTranslation();
  const can = useCan();
  return (
    <RowDialog
      query={patternQuery}
      mayCreate={can('patterns.create')}
      size={600}
      createTitle={t('patterns:createTitle')}
      title={(row) => row?.title ?? t('patterns:detail')}
      failed={t('patterns:detailFailed')}
    >
      {(row, onClose) => (
        <PatternForm
          key={row?.id}
          row={row}
          readOnly={!!row && !can('patterns.update')}
          onClose={onClose}
        />
      )}
    </RowDialog>
  );
}
