import { Input, TextInput } from '@mantine/core';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CALLING_CODES, countries } from './countries.ts';

interface PhoneFieldProps {
  id: string;
  country: string;
  phone: string;
  error: ReactNode;
  onChange: (changes: { country?: string; phone?: string }) => void;
  onBlur: () => void;
}

/** A country and a number in any spelling; a number that names its country chooses it. */
export function PhoneField({ id, country, phone, error, onChange, onBlur }: PhoneFieldProps) {
  const { t, i18n } = useTranslation();
  const all = useMemo(() => countries(i18n.language), [i18n.language]);
  const choose = (iso: string) => {
    const isPrefix = phone.replace(/\D/g, '') === (CALLING_CODES[country] ?? '');
    onChange({ country: iso, ...(isPrefix && { phone: `+${CALLING_CODES[iso]}` }) });
  };
  return (
    <>
      <Input.Wrapper id={`${id}-country`} label={t('auth:registration.country')}>
        <Input
          component="select"
          rightSection={<span aria-hidden>▾</span>}
          rightSectionPointerEvents="none"
          name="country"
          autoComplete="country"
          value={country}
          onChange={(event) => choose(event.currentTarget.value)}
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
        label={t('auth:registration.phone')}
        name="phone"
        type="tel"
        autoComplete="tel"
        inputMode="tel"
        placeholder={`+${CALLING_CODES[country] ?? ''}`}
        maxLength={40}
        required
        value={phone}
        error={error}
        onChange={(event) => onChange({ phone: event.currentTarget.value })}
        onBlur={onBlur}
      />
    </>
  );
}
