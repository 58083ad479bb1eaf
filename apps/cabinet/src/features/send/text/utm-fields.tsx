import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../../core/settings.ts';
import { MEDIUMS, SOURCES, type UtmErrors, type UtmValues } from './utm.ts';

interface UtmFieldsProps {
  values: UtmValues;
  errors: UtmErrors;
  /** True after the first submit: errors are shown from then on. */
  asked: boolean;
  onChange: (values: UtmValues) => void;
}

/** The page and its marks. */
export function UtmFields({ values, errors, asked, onChange }: UtmFieldsProps) {
  const { t } = useTranslation();
  const { brand } = useSettings().frontend;
  const sources = SOURCES.filter((source) => brand === 'main' || source !== 'vk');
  const [preset, setPreset] = useState<(typeof SOURCES)[number]>('custom');
  const put = (name: keyof UtmValues, value: string) => onChange({ ...values, [name]: value });
  const field = (name: keyof UtmValues) => {
    const fault = asked || (name === 'url' && errors.url === 'domain') ? errors[name] : undefined;
    return {
      'data-path': name,
      label: t(`send:utm.${name}`),
      value: values[name],
      onChange: (event: { currentTarget: { value: string } }) =>
        put(name, event.currentTarget.value),
      error: fault && t(fault === 'domain' ? 'send:utm.domain' : 'errors:rule.required'),
    };
  };
  return (
    <>
      <TextInput {...field('url')} required data-autofocus placeholder="shop.com/sale" />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NativeSelect
          label={t('send:utm.preset')}
          value={preset}
          onChange={(event) => {
            const next = event.currentTarget.value as typeof preset;
            setPreset(next);
            put('source', next === 'custom' ? '' : next);
          }}
          data={sources.map((value) => ({
            value,
            label: value === 'custom' ? t('send:utm.custom') : value,
          }))}
        />
        <TextInput {...field('source')} required disabled={preset !== 'custom'} />
        <NativeSelect {...field('medium')} required data={[...MEDIUMS]} />
        <TextInput {...field('campaign')} required />
        <TextInput {...field('content')} />
        <TextInput {...field('term')} />
      </SimpleGrid>
    </>
  );
}
