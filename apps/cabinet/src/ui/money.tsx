import { Text } from '@mantine/core';
import { useFormats } from '../core/use-formats.ts';

interface MoneyProps {
  value: number;
  /** Paid back: struck through, and said so to those who cannot see the line. */
  refunded?: string | false;
}

export function Money({ value, refunded }: MoneyProps) {
  const formats = useFormats();
  const sum = formats.money(value);
  if (!refunded) return <span className="numeric">{sum}</span>;
  return (
    <Text span inherit c="dimmed" className="numeric" title={refunded}>
      <s>{sum}</s>
      <span className="visually-hidden"> {refunded}</span>
    </Text>
  );
}
