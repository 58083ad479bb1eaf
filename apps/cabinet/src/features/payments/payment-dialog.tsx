import type { PaymentDetails } from '@heliograph/contract';
import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { CopyId } from '../../ui/copy-id.tsx';
import { DetailBody, useDetail } from '../../ui/detail.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Money } from '../../ui/money.tsx';
import { Time } from '../../ui/time.tsx';
import { PaymentBadge } from './payment-badge.tsx';
import { paymentQuery } from './payments.api.ts';
import { RefundForm } from './refund-form.tsx';

/** A payment with its refunds, `?id=`. Managers refund here. */
export function PaymentDialog() {
  const { t } = useTranslation();
  const detail = useDetail(paymentQuery);
  return (
    <Dialog {...detail.frame} size={600} title={t('payments:detail')}>
      <DetailBody detail={detail} failed={t('payments:detailFailed')}>
        {(row) => <Details row={row} />}
      </DetailBody>
    </Dialog>
  );
}

function Details({ row }: { row: PaymentDetails }) {
  const { t } = useTranslation();
  const can = useCan();
  const { currency, meta } = row;
  const sum = (what: string, value: number, refunded: string | false = false) => (
    <Blurred what={what}>
      <Money value={value} currency={currency} refunded={refunded} />
    </Blurred>
  );
  const amount = t('payments:amount');
  const refunded = row.status === 'refunded' && t('payments:status.refunded');
  const isRefundable = row.status === 'completed' || row.status === 'partialRefunded';
  return (
    <>
      <Facts
        facts={[
          { label: t('payments:owner'), value: row.Owner?.username },
          { label: t('payments:statusLabel'), value: <PaymentBadge status={row.status} /> },
          {
            label: t('payments:reasonLabel'),
            value: row.reason && t(`payments:reason.${row.reason}`),
          },
          { label: amount, value: sum(amount, row.amount, refunded) },
          {
            label: t('payments:commission'),
            value: row.commission > 0 && sum(t('payments:commission'), row.commission),
          },
          {
            label: t('payments:refunded'),
            value: row.refunded > 0 && sum(t('payments:refunded'), row.refunded),
          },
          { label: t('payments:method'), value: t(`payments:methods.${row.method as 'sandbox'}`) },
          {
            label: t('payments:card'),
            value: meta.bankData && (
              <Blurred what={t('payments:card')}>•••• {meta.bankData.cardNumber}</Blurred>
            ),
          },
          { label: t('payments:externalId'), value: meta.externalId },
          { label: t('payments:created'), value: <Time at={row.createdAt} /> },
          {
            label: t('payments:completed'),
            value: row.completedAt && <Time at={row.completedAt} />,
          },
          { label: 'ID', value: <CopyId id={row.id} /> },
        ]}
      />
      {row.refunds.length > 0 && <Refunds row={row} />}
      {isRefundable && can('payments.refund', 'managerUp') && (
        <RefundForm key={row.refunded} row={row} />
      )}
    </>
  );
}

function Refunds({ row }: { row: PaymentDetails }) {
  const { t } = useTranslation();
  return (
    <section aria-label={t('payments:refunds')}>
      <Title order={3} size="h5" mt="lg" mb="xs">
        {t('payments:refunds')}
      </Title>
      {row.refunds.map(({ id, amount, status, isExternal, shortfall, createdAt }) => (
        <Text key={id} size="sm">
          <Time at={createdAt} /> · <Money value={amount} currency={row.currency} /> ·{' '}
          {t(`payments:refundStatus.${status}`)}
          {isExternal && ` · ${t('payments:external')}`}
          {!!shortfall && (
            <>
              {' · '}
              {t('payments:shortfall')} <Money value={shortfall} currency={row.currency} />
            </>
          )}
        </Text>
      ))}
    </section>
  );
}
