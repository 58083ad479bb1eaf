import {
  MAX_VARIANT_HOURS,
  MAX_VARIANT_SHARE,
  MIN_VARIANT_SHARE,
  VARIANT_CRITERIA,
} from '@heliograph/domain';
import { NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../core/use-formats.ts';
import { useSendForm } from '../form/send-form.ts';
import { partsOf } from '../form/type-parts.ts';
import { TextEditor } from '../text/text-editor.tsx';

const SHARES = [MIN_VARIANT_SHARE, 5, 10, 20, 30, 40, MAX_VARIANT_SHARE];
const HOURS = [1, 2, 4, 8, 12, 24, 48, MAX_VARIANT_HOURS];

/** The second text of a bulk, and how the better one is found. */
export function TwoTexts() {
  const { t } = useTranslation();
  const formats = useFormats();
  const form = useSendForm();
  const { type, payload, variants } = form.values;
  const percent = (share: number) => formats.percent(share / 100);
  const hours = (count: number) => t('send:hours', { count });
  const number = (name: 'share' | 'hours', values: number[], label: (value: number) => string) => ({
    ...form.field(`variants.${name}`),
    value: String(variants[name]),
    onChange: (event: { currentTarget: { value: string } }) =>
      form.field(`variants.${name}`).onChange(Number(event.currentTarget.value)),
    data: values.map((value) => ({ value: String(value), label: label(value) })),
  });
  return (
    <Stack>
      <div data-path="variants.text">
        <TextEditor
          type={type}
          label={t('send:field.secondText')}
          required
          value={variants.text}
          onChange={(text) => form.field('variants.text').onChange(text)}
          error={form.errors['variants.text']}
          format={partsOf(type).format ? payload.format : 'plain'}
        />
      </div>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <NativeSelect label={t('send:field.share')} {...number('share', SHARES, percent)} />
        <NativeSelect
          label={t('send:field.by')}
          {...form.field('variants.by')}
          data={VARIANT_CRITERIA.map((by) => ({ value: by, label: t(`send:variants.by.${by}`) }))}
        />
        <NativeSelect label={t('send:field.restAfter')} {...number('hours', HOURS, hours)} />
      </SimpleGrid>
      <Text size="sm" className="numeric">
        {t(`send:variants.plan.${variants.by}`, {
          half: percent(variants.share / 2),
          hours: hours(variants.hours),
          rest: percent(100 - variants.share),
        })}
      </Text>
    </Stack>
  );
}
