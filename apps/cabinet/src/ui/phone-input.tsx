import { TextInput, type TextInputProps } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { afterPress } from '../core/after-press.ts';
import { fetched } from '../core/lost-chunk.ts';

/** Digits of the field's mask; one more than a number has at most, so that none becomes another one by being cut. */
const MAX_DIGITS = 16;
/** Dialled in front of a number with its country; not a part of it. */
const DIALLED = /^\s*(?:00|011|8[\s-]?10)/;

/** The number as typed or pasted, in any format, without the digits after the last of the mask. */
function atMostDigits(typed: string): string {
  let left = MAX_DIGITS + (DIALLED.exec(typed)?.[0].replace(/\D/g, '').length ?? 0);
  return typed.replace(/\d/g, (digit) => (left-- > 0 ? digit : ''));
}

interface PhoneInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'onBlur'> {
  /** ISO 3166-1 alpha-2, of national numbers. */
  country: string;
  value: string;
  /** What is said of a text that is no phone number. */
  invalidText?: string;
  /** The number as typed; when the field is left, in E.164 and with its country. */
  onChange: (changes: { country?: string; phone: string }) => void;
  onBlur?: () => void;
}

/** A number in any spelling. When the field is left, it is written in E.164, and what is not a phone number is marked. */
export function PhoneInput(props: PhoneInputProps) {
  const { country, value: phone, invalidText, error, onChange, onBlur, ...others } = props;
  const { t } = useTranslation();
  const [invalid, setInvalid] = useState('');
  const latest = useRef(props);
  latest.current = props;
  const leave = async () => {
    onBlur?.();
    if (!phone) return;
    // The numbering plans of all countries: too large to be loaded with the page.
    const { parsePhone } = await fetched(() => import('../core/parse-phone.ts'));
    const found = parsePhone(phone, country);
    afterPress(() => {
      const { value: typed, country: selected } = latest.current;
      // Changed meanwhile: it is parsed when the field is left again.
      if (typed !== phone || selected !== country) return;
      if (!found) setInvalid(country + phone);
      else if (found.phone !== phone || found.country !== country) onChange(found);
    });
  };
  return (
    <TextInput
      {...others}
      type="tel"
      inputMode="tel"
      maxLength={40}
      value={phone}
      error={error ?? (invalid === country + phone && (invalidText ?? t('common:phone.invalid')))}
      onChange={(event) => onChange({ phone: atMostDigits(event.currentTarget.value) })}
      onBlur={() => void leave()}
    />
  );
}
