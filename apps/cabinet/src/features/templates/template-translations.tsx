import { MAX_TRANSLATIONS } from '@heliograph/contract';
import { Fieldset, Group, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { focusField } from '../../core/forms/form-fields.ts';
import type { BoundField } from '../../core/forms/form-state.ts';
import { useFormats } from '../../core/use-formats.ts';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconTrash } from '../../ui/icons.ts';
import { OFFERED_LANGUAGES } from './languages.ts';
import { TemplateText } from './template-text.tsx';
import type { TemplateValues, TranslationValues } from './template-values.ts';

interface TemplateTranslationsProps {
  values: TemplateValues;
  field: (path: string) => BoundField;
  onChange: (translations: TranslationValues[]) => void;
  readOnly: boolean;
}

/** What a template says in other languages. */
export function TemplateTranslations(props: TemplateTranslationsProps) {
  const { values, field, onChange, readOnly } = props;
  const { type, translations } = values;
  const { t } = useTranslation();
  const { language } = useFormats();
  const section = useRef<HTMLDivElement>(null);
  const used = new Set(translations.map(({ locale }) => locale));
  const offered = OFFERED_LANGUAGES.filter((tag) => !used.has(tag))
    .map((value) => ({ value, label: language(value) }))
    .toSorted((a, b) => a.label.localeCompare(b.label));
  if (readOnly && !translations.length) return null;
  const add = (locale: string) => {
    onChange([...translations, { locale, subject: '', text: '' }]);
    requestAnimationFrame(() => {
      if (section.current) focusField(section.current, `translations.${translations.length}.text`);
    });
  };
  return (
    <Stack component="section" gap="sm" ref={section} aria-labelledby="template-languages">
      <div>
        <Title order={3} size="h6" id="template-languages">
          {t('templates:translations.title')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('templates:translations.hint')}
        </Text>
      </div>
      {translations.map(({ locale }, i) => (
        <Fieldset key={locale} legend={language(locale)}>
          <Stack gap="xs">
            {type === 'email' && (
              <TextInput
                {...field(`translations.${i}.subject`)}
                label={t('templates:subject')}
                maxLength={250}
              />
            )}
            <TemplateText {...field(`translations.${i}.text`)} type={type} readOnly={readOnly} />
            {!readOnly && (
              <Group justify="flex-end">
                <IconAction
                  icon={IconTrash}
                  label={t('templates:translations.remove', { language: language(locale) })}
                  onClick={() => onChange(translations.filter((_, at) => at !== i))}
                />
              </Group>
            )}
          </Stack>
        </Fieldset>
      ))}
      {!readOnly && translations.length < MAX_TRANSLATIONS && (
        <Select
          label={t('templates:translations.add')}
          value={null}
          data={offered}
          onChange={(locale) => locale && add(locale)}
          searchable
          selectFirstOptionOnChange
        />
      )}
    </Stack>
  );
}
