import { useTranslation } from 'react-i18next';
import { DetailBody, useDetail } from '../../ui/detail.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { BillingDetails } from './billing-details.tsx';
import { billingQuery } from './billings.api.ts';

/** One entry in full, `?id=`. */
export function BillingDialog() {
  const { t } = useTranslation();
  const detail = useDetail(billingQuery);
  return (
    <Dialog {...detail.frame} size={600} title={t('billings:detail.title')}>
      <DetailBody detail={detail} failed={t('billings:detail.failed')}>
        {(entry) => <BillingDetails entry={entry} />}
      </DetailBody>
    </Dialog>
  );
}
