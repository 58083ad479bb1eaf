import { TONES, type SendingType } from '@heliograph/contract';
import {
  Button,
  Checkbox,
  NativeSelect,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ruleText } from '../../../core/errors.ts';
import { LOCALE_NAMES, LOCALES } from '../../../core/i18n/locales.ts';
import { lengthOf, type GeneratorValues } from './generator-values.ts';

interface GeneratorFieldsProps {
  channel: SendingType;
  values: GeneratorValues;
  errors: Partial<Record<keyof GeneratorValues, string>>;
  /** The message's text, for rephrasing. */
  text: string;
  onChange: (values: GeneratorValues) => void;
}

/** Subject, length and tone of the generated text. */
export function GeneratorFields({ channel, values, errors, text, onChange }: GeneratorFieldsProps) {
  const { t } = useTranslation();
  const put = (patch: Partial<GeneratorValues>) => onChange({ ...values, ...patch });
  const field = (name: Exclude<keyof GeneratorValues, 'endQuestion' | 'addEmojis'>) => ({
    label: t(`send:generator.${name}`),
    name,
    value: values[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      put({ [name]: event.currentTarget.value }),
    error: errors[name] && ruleText(t, errors[name]),
  });
  const box = (name: 'endQuestion' | 'addEmojis') => (
    <Checkbox
      label={t(`send:generator.${name}`)}
      checked={values[name]}
      onChange={(event) => put({ [name]: event.currentTarget.checked })}
    />
  );
  const { name: length, min, max } = lengthOf(channel);
  return (
    <Stack>
      <TextInput {...field('messageTheme')} required maxLength={200} data-autofocus />
      <TextInput {...field('occasion')} required maxLength={200} />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <TextInput
          {...field(length)}
          required
          type="number"
          inputMode="numeric"
          min={min}
          max={max}
          description={t('send:generator.bounds', { min, max })}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <NativeSelect
          {...field('emotionalTone')}
          data={TONES.map((value) => ({ value, label: t(`send:generator.tone.${value}`) }))}
        />
        <NativeSelect
          {...field('language')}
          data={LOCALES.map((value) => ({ value, label: LOCALE_NAMES[value] }))}
        />
      </SimpleGrid>
      <TextInput {...field('additionalNotes1')} maxLength={500} />
      <div>
        <Textarea {...field('rephraseText')} autosize minRows={2} maxRows={6} maxLength={2000} />
        {text.trim() && !values.rephraseText && (
          <Button
            mt={4}
            size="compact-sm"
            variant="subtle"
            onClick={() => put({ rephraseText: text.slice(0, 2000) })}
          >
            {t('send:generator.takeText')}
          </Button>
        )}
      </div>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {box('endQuestion')}
        {box('addEmojis')}
      </SimpleGrid>
    </Stack>
  );
}
