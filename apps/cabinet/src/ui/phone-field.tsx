import { Input, TextInput } from '@mantine/core';
import { useId, useMemo, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { afterPress } from '../core/after-press.ts';
import { CALLING_CODES, countries } from '../core/countries.ts';
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

interface PhoneFieldProps {
  id?: string;
  country: string;
  phone: string;
  label?: string;
  required?: boolean;
  disabled?: boolean;
  error?: ReactNode;
  /** By this attribute a form finds the field. */
  'data-path'?: string;
  onChange: (changes: { country?: string; phone?: string }) => void;
  onBlur?: () => void;
}

/**
 * A country and a number in any spelling. When the field is left, the number is written in E.164, a number that names its
 * country selects it, and what is not a phone number is marked.
 */
export function PhoneField(props: PhoneFieldProps) {
  const { country, phone, required = true, disabled, error, onChange, onBlur } = props;
  const { t, i18n } = useTranslation();
  const ownId = useId();
  const id = props.id ?? ownId;
  const all = useMemo(() => countries(i18n.language), [i18n.language]);
  const [invalid, setInvalid] = useState('');
  const latest = useRef(props);
  latest.current = props;
  const selectCountry = (iso: string) => {
    const isPrefix = phone.replace(/\D/g, '') === (CALLING_CODES[country] ?? '');
    onChange({ country: iso, ...(isPrefix && { phone: `+${CALLING_CODES[iso]}` }) });
  };
  const leave = async () => {
    onBlur?.();
    if (!phone) return;
    // The numbering plans of all countries: too large to be loaded with the page.
    const { parsePhone } = await fetched(() => import('../core/parse-phone.ts'));
    const found = parsePhone(phone, country);
    afterPress(() => {
      const { phone: typed, country: selected } = latest.current;
      // Changed meanwhile: it is parsed when the field is left again.
      if (typed !== phone || selected !== country) return;
      if (!found) setInvalid(country + phone);
      else if (found.phone !== phone || found.country !== country) onChange(found);
    });
  };
  return (
    <>
      <Input.Wrapper id={`${id}-country`} label={t('common:phone.country')}>
        <Input
          component="select"
          rightSection={<span aria-hidden>▾</span>}
          rightSectionPointerEvents="none"
          name="country"
          autoComplete="country"
          disabled={disabled}
          value={country}
          onChange={(event) => selectCountry(event.currentTarget.value)}
        >
          {all.map(({ iso, name, code }) => (
            <option key={iso} value={iso}>
              {name} +{code}
            </option>
          ))}
        </Input>
      </Input.Wrapper>
      <TextInput
        id={id}
        data-path={props['data-path']}
        label={props.label ?? t('common:phone.number')}
        name="phone"
        type="tel"
        autoComplete="tel"
        inputMode="tel"
        placeholder={`+${CALLING_CODES[country] ?? ''}`}
        maxLength={40}
        required={required}
        disabled={disabled}
        value={phone}
        error={error ?? (invalid === country + phone && t('common:phone.invalid'))}
        onChange={(event) => onChange({ phone: atMostDigits(event.currentTarget.value) })}
        onBlur={() => void leave()}
      />
    </>
  );
}
