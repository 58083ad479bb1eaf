import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useLast } from '../../core/use-last.ts';
import { useParam } from '../../core/use-param.ts';
import { DetailBody, useDetail } from '../../ui/detail.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { InboundRuleForm } from './inbound-rule-form.tsx';
import { inboundRuleQuery } from './inbound-rules.api.ts';

/** A rule to read and change, `?id=`; a new one, `?create=true`. */
export function InboundRuleDrawer() {
  const { t } = useTranslation();
  const can = useCan();
  const [creating, setCreating] = useParam('create');
  const detail = useDetail(inboundRuleQuery);
  const isNew = creating !== null && can('inboundRules.create');
  const showsNew = useLast(isNew && !detail.id, isNew || !!detail.id);
  const close = () => (isNew ? setCreating(null, { replace: true }) : detail.setId(null));
  const title = showsNew
    ? t('inboundRules:createTitle')
    : (detail.data?.title ?? t('inboundRules:detail'));
  return (
    <Sheet opened={!!detail.id || isNew} onClose={close} size={600} title={title}>
      {showsNew ? (
        <InboundRuleForm row={null} onClose={close} />
      ) : (
        <DetailBody detail={detail} failed={t('inboundRules:detailFailed')}>
          {(row) => (
            <InboundRuleForm
              key={row.id}
              row={row}
              readOnly={!can('inboundRules.update')}
              onClose={close}
            />
          )}
        </DetailBody>
      )}
    </Sheet>
  );
}
