import { Input } from '@mantine/core';
import { useId, useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CALLING_CODES, countries } from '../core/countries.ts';
import { PhoneInput } from './phone-input.tsx';

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

/** A country and a number in any spelling; a number that names its country selects it when the field is left. */
export function PhoneField(props: PhoneFieldProps) {
  const { country, phone, required = true, disabled, error, onChange, onBlur } = props;
  const { t, i18n } = useTranslation();
  const ownId = useId();
  const id = props.id ?? ownId;
  const all = useMemo(() => countries(i18n.language), [i18n.language]);
  const selectCountry = (iso: string) => {
    const isPrefix = phone.replace(/\D/g, '') === (CALLING_CODES[country] ?? '');
    onChange({ country: iso, ...(isPrefix && { phone: `+${CALLING_CODES[iso]}` }) });
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
      <PhoneInput
        id={id}
        data-path={props['data-path']}
        label={props.label ?? t('common:phone.number')}
        name="phone"
        autoComplete="tel"
        placeholder={`+${CALLING_CODES[country] ?? ''}`}
        required={required}
        disabled={disabled}
        country={country}
        value={phone}
        error={error}
        onChange={onChange}
        onBlur={onBlur}
      />
    </>
  );
}
