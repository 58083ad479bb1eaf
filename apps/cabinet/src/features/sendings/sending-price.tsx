import type { Sending } from '@heliograph/contract';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { Money } from '../../ui/money.tsx';
import { billingQuery } from './sendings.api.ts';

/** The price of a message, from the ledger where the user may read it, with its calculation. */
export function SendingPrice({ meta: { billing }, Owner }: Pick<Sending, 'meta' | 'Owner'>) {
  const { t } = useTranslation();
  const can = useCan();
  const formats = useFormats(Owner?.currency);
  const { data: entry } = useQuery({
    ...billingQuery(billing?.id ?? ''),
    enabled: !!billing && can('billings.find'),
  });
  if (!billing) return null;
  const isRefunded = entry ? entry.status === 'refunded' : billing.refunded;
  const { price, multiplier } = billing;
  return (
    <>
      <Money
        value={Math.abs(entry?.amount ?? billing.amount)}
        currency={Owner?.currency}
        refunded={isRefunded && t('common:refunded')}
      />
      {typeof price === 'number' && multiplier > 1 && (
        <Text size="xs" c="dimmed" className="numeric">
          {t('sendings:detail.reckoned', {
            multiplier: formats.number(multiplier),
            price: formats.money(price),
          })}
        </Text>
      )}
      {entry?.refundedAt && (
        <Text size="xs" c="dimmed">
          {t('sendings:detail.refundedAt', { time: formats.dateTime(entry.refundedAt) })}
        </Text>
      )}
    </>
  );
}
