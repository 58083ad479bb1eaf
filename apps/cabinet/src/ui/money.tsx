import { Text } from '@mantine/core';
import { useFormats } from '../core/use-formats.ts';

interface MoneyProps {
  value: number;
  /** Of the account, where it may be another's. */
  currency?: string;
  /** Refunded: struck through, with a text for screen readers. */
  refunded?: string | false;
}

export function Money({ value, currency, refunded }: MoneyProps) {
  const formats = useFormats(currency);
  const sum = formats.money(value);
  if (!refunded) return <span className="numeric">{sum}</span>;
  return (
    <Text span inherit c="dimmed" className="numeric" title={refunded}>
      <s>{sum}</s>
      <span className="visually-hidden"> {refunded}</span>
    </Text>
  );
}
