import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Money } from './money.tsx';

interface ChargeProps {
  /** Zero of a message that a package covers. */
  amount: number;
  /** The package that covers it. */
  of?: string;
  /** Of the account, where it may be another's. */
  currency?: string;
  isRefunded: boolean;
}

/** What a message took: money, or units of a package, which is named then. */
export function Charge({ amount, of, currency, isRefunded }: ChargeProps) {
  const { t } = useTranslation();
  const refunded = isRefunded && t('common:refunded');
  if (of === undefined) return <Money value={amount} currency={currency} refunded={refunded} />;
  const name = t('common:fromPackage', { title: of });
  if (!refunded)
    return (
      <span title={name} data-package>
        {name}
      </span>
    );
  return (
    <Text span inherit c="dimmed" title={`${name} ${refunded}`} data-package>
      <s>{name}</s>
      <span className="visually-hidden"> {refunded}</span>
    </Text>
  );
}
