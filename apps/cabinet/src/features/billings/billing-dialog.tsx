import type { Billing } from '@heliograph/contract';
import { Anchor, Group, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormats } from '../../core/use-formats.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { CopyId } from '../../ui/copy-id.tsx';
import { DetailBody, useDetail } from '../../ui/detail.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { BillingBadge } from './billing-badge.tsx';
import { billingQuery } from './billings.api.ts';
import { EntryAmount } from './entry-amount.tsx';
import { useSourceText } from './source-text.ts';

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

function BillingDetails({ entry }: { entry: Billing }) {
  const { t } = useTranslation();
  const formats = useFormats(entry.Owner?.currency);
  const sourceText = useSourceText();
  const { data, Counterpart, volumeStep } = entry;
  const cause = causeOf(entry);
  const time = (iso: string | null) => iso && <time dateTime={iso}>{formats.dateTime(iso)}</time>;
  const prices = [data.price ?? []].flat().map((price) => formats.money(price));
  return (
    <Stack>
      <Group gap="sm">
        <BillingBadge status={entry.status} />
        <Blurred what={t('billings:amount')}>
          <EntryAmount entry={entry} />
        </Blurred>
      </Group>
      <Facts
        facts={[
          { label: t('billings:sourceLabel'), value: sourceText(entry) },
          {
            label: t('billings:detail.cause'),
            value: cause && (
              <Anchor component={Link} to={cause.to}>
                {t(`billings:link.${cause.kind}`)}
              </Anchor>
            ),
          },
          { label: t('billings:detail.price'), value: prices.join(' + ') },
          {
            label: t('billings:detail.multiplier'),
            value: data.price !== null && formats.number(data.multiplier),
          },
          {
            label: t('billings:detail.step'),
            value:
              volumeStep &&
              t('billings:detail.volumeStep', {
                percent: formats.number(volumeStep.percent),
                from: formats.number(volumeStep.from),
              }),
          },
          { label: t('billings:comment'), value: data.hidden?.comment },
          { label: t('billings:owner'), value: entry.Owner?.username },
          { label: t('billings:detail.counterpart'), value: Counterpart?.username },
          { label: t('billings:created'), value: time(entry.createdAt) },
          { label: t('billings:detail.refundedAt'), value: time(entry.refundedAt) },
          { label: t('billings:id'), value: <CopyId id={entry.id} /> },
        ]}
      />
    </Stack>
  );
}

const PAGES = {
  message: '/messages/outgoing?id=',
  payment: '/balance/payments?id=',
  invoice: '/balance/invoices?id=',
} as const;

/** Where what caused an entry is shown; null for manual entries and what has no page of its own. */
function causeOf({ id, data, meta }: Billing) {
  if (data.params) return { kind: 'message' as const, to: PAGES.message + id };
  const { origin, TaskId } = meta;
  if (origin?.type === 'call') return { kind: 'message' as const, to: PAGES.message + origin.id };
  if (TaskId) return { kind: 'task' as const, to: `/messages/tasks/${TaskId}` };
  if (origin?.PaymentId) return { kind: 'payment' as const, to: PAGES.payment + origin.PaymentId };
  if (origin?.type === 'payment' || origin?.type === 'invoice')
    return { kind: origin.type, to: PAGES[origin.type] + origin.id };
  return null;
}
