import { Text, TextInput, type TextInputProps } from '@mantine/core';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { afterPress } from '../core/after-press.ts';
import { acceptedDecimal, parseDecimal, tidyDecimal } from '../core/decimal-text.ts';

interface NumberFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  value: number | null;
  onChange: (value: number | null) => void;
  /** The most decimals. Specification, section 9: 2. */
  scale?: number;
  min?: number;
  max?: number;
  /** Beside the number: a currency, `%`, a unit of time. */
  unit?: string;
}

/** A number. A value out of its range is marked when the field is left; the arrow keys change the number by one. */
export function NumberField(props: NumberFieldProps) {
  const { value, onChange, scale = 2, min, max, unit, error, onBlur, ...input } = props;
  const { t } = useTranslation();
  const isSigned = (min ?? 0) < 0;
  const [typed, setTyped] = useState(value === null ? '' : String(value));
  const [isLeft, setLeft] = useState(false);
  // A value that was set from outside replaces what was typed.
  const text = parseDecimal(typed, scale) === value ? typed : value === null ? '' : String(value);
  const change = (next: string) => {
    setTyped(next);
    setLeft(false);
    const number = parseDecimal(next, scale);
    if (number !== value) onChange(number);
  };
  const step = (event: KeyboardEvent, by: number) => {
    event.preventDefault();
    const next = (value ?? 0) + by;
    const bounded = Math.max(min ?? next, Math.min(max ?? next, next));
    change(String(Number(bounded.toFixed(scale))));
  };
  const isOutside =
    value !== null && ((min !== undefined && value < min) || (max !== undefined && value > max));
  return (
    <TextInput
      inputMode={scale > 0 ? 'decimal' : 'numeric'}
      autoComplete="off"
      rightSection={unitOf(unit)}
      rightSectionWidth={unit && `${unit.length + 2}ch`}
      {...input}
      role="spinbutton"
      aria-valuenow={value ?? undefined}
      aria-valuetext={value === null ? undefined : unit ? `${text} ${unit}` : text}
      aria-valuemin={min}
      aria-valuemax={max}
      value={text}
      error={
        error ?? (isLeft && isOutside && t(`common:number.${rangeOf(min, max)}`, { min, max }))
      }
      onChange={(event) => {
        const { currentTarget, nativeEvent } = event;
        const next = acceptedDecimal(
          currentTarget.value,
          nativeEvent as InputEvent,
          scale,
          isSigned,
        );
        if (next !== null) change(next);
      }}
      onKeyDown={(event) => {
        if (event.key === 'ArrowUp') step(event, 1);
        if (event.key === 'ArrowDown') step(event, -1);
      }}
      onBlur={(event) => {
        onBlur?.(event);
        // An error may appear or go, and a button below would move.
        afterPress(() => {
          setTyped(tidyDecimal);
          setLeft(true);
        });
      }}
    />
  );
}

const rangeOf = (min?: number, max?: number) =>
  min === undefined ? 'max' : max === undefined ? 'min' : 'range';

function unitOf(unit: string | undefined): ReactNode {
  return (
    unit && (
      <Text size="sm" c="dimmed" aria-hidden>
        {unit}
      </Text>
    )
  );
}
