import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { RowDialog } from '../../ui/row-dialog.tsx';
import { InboundRuleForm } from './inbound-rule-form.tsx';
import { inboundRuleQuery } from './inbound-rules.api.ts';

export function InboundRuleDrawer() {
  const { t } = useTranslation();
  const can = useCan();
  return (
    <RowDialog
      query={inboundRuleQuery}
      mayCreate={can('inboundRules.create')}
      size={600}
      createTitle={t('inboundRules:createTitle')}
      title={(row) => row?.title ?? t('inboundRules:detail')}
      failed={t('inboundRules:detailFailed')}
    >
      {(row, onClose) => (
        <InboundRuleForm
          key={row?.id}
          row={row}
          readOnly={!!row && !can('inboundRules.update')}
          onClose={onClose}
        />
      )}
    </RowDialog>
  );
}
