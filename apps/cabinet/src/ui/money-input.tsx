import { Text, TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { afterPress } from '../core/after-press.ts';
import { acceptedDecimal, tidyDecimal } from '../core/decimal-text.ts';
import { useFormats } from '../core/use-formats.ts';

const SCALE = 2;

interface MoneyInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  /** As typed, `1000,50`; `parseDecimal(value, 2)` is the number. */
  value: string;
  onChange: (value: string) => void;
  /** Absent: that of the user's account. */
  currency?: string;
}

/** A sum: digits with at most two decimals after a comma or a dot. Of a pasted sum, groups and a currency are left out; other characters are not accepted. */
export function MoneyInput({ value, onChange, currency, onBlur, ...props }: MoneyInputProps) {
  const { currencySymbol } = useFormats(currency);
  const latest = useRef({ value, onChange });
  useEffect(() => {
    latest.current = { value, onChange };
  });
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      rightSectionWidth={`${currencySymbol.length + 2}ch`}
      rightSection={
        <Text size="sm" c="dimmed" aria-hidden>
          {currencySymbol}
        </Text>
      }
      {...props}
      value={value}
      onChange={(event) => {
        const { currentTarget, nativeEvent } = event;
        const next = acceptedDecimal(currentTarget.value, nativeEvent as InputEvent, SCALE);
        if (next !== null) onChange(next);
      }}
      onBlur={(event) => {
        onBlur?.(event);
        // The change takes the field's error away, and a button below would move.
        afterPress(() => {
          const { value: typed, onChange: change } = latest.current;
          const tidy = tidyDecimal(typed);
          if (tidy !== typed) change(tidy);
        });
      }}
    />
  );
}
