import { BrandInput, type Brand } from '@heliograph/contract';
import { NativeSelect, Paper, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { brandContrast, isColor, MIN_MARK_CONTRAST, MIN_TEXT_CONTRAST } from '@heliograph/domain';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { LOCALE_NAMES, LOCALES, type Locale } from '../../core/i18n/locales.ts';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { BrandPreview } from './brand-preview.tsx';
import { useUpdateBrand } from './brands.api.ts';

const TEXTS = [
  'title',
  'primary',
  'accent',
  'email',
  'phone',
  'chat',
  'privacy',
  'offer',
  'locale',
] as const;
type Values = Record<(typeof TEXTS)[number], string>;

const valuesOf = (brand: Brand): Values =>
  Object.fromEntries(TEXTS.map((name) => [name, brand[name] ?? ''])) as Values;

/** An empty field is as in the installation. */
const bodyOf = (values: Values) => {
  const given = Object.fromEntries(
    TEXTS.map((name) => [name, values[name].trim() || null]),
  ) as Record<keyof Values, string | null>;
  return { ...given, locale: given.locale as Locale | null };
};

/** Name, colours, contacts, documents and language, with a preview of the colours. */
export function BrandForm({ brand }: { brand: Brand }) {
  const { t } = useTranslation();
  const readOnly = !useCan()('brands.update', 'resellerUp');
  const { mutateAsync } = useUpdateBrand();
  const { OwnerId, installation } = brand;
  const form = useContractForm({
    initial: valuesOf(brand),
    schema: BrandInput,
    isEdit: true,
    toBody: (values) => ({ OwnerId, ...bodyOf(values) }),
    submit: mutateAsync,
    onDone(saved) {
      form.restart(valuesOf(saved));
      showSuccess(t('brands:saved'));
    },
  });
  const { values } = form;
  const colors = {
    primary: isColor(values.primary) ? values.primary : installation.primary,
    accent: isColor(values.accent) ? values.accent : installation.accent,
  };
  const title = values.title.trim() || installation.title;
  const ratios = brandContrast(colors);
  const text = (name: Exclude<keyof Values, 'locale'>) => ({
    ...form.text(name),
    label: t(`brands:field.${name}`),
    placeholder: installation[name] ?? undefined,
  });
  return (
    <ContractForm
      form={form}
      readOnly={readOnly}
      label={t('brands:title')}
      submit={t('brands:save')}
    >
      <Section id="brand-look" title={t('brands:look')}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
          <Stack gap="sm">
            <TextInput {...text('title')} />
            <ColorField
              {...text('primary')}
              shown={colors.primary}
              ratio={ratios.text}
              minimum={MIN_TEXT_CONTRAST}
              what={t('brands:contrast.text')}
              onPick={(primary) => form.set({ primary })}
            />
            <ColorField
              {...text('accent')}
              shown={colors.accent}
              ratio={ratios.mark}
              minimum={MIN_MARK_CONTRAST}
              what={t('brands:contrast.mark')}
              onPick={(accent) => form.set({ accent })}
            />
          </Stack>
          <BrandPreview title={title} colors={colors} brand={brand} />
        </SimpleGrid>
      </Section>
      <Section id="brand-support" title={t('brands:support')}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput {...text('email')} type="email" />
          <TextInput {...text('phone')} type="tel" />
          <TextInput {...text('chat')} type="url" inputMode="url" />
          <NativeSelect
            {...form.field('locale')}
            label={t('brands:field.locale')}
            description={t('brands:localeHint')}
            data={[
              { value: '', label: t('brands:browserLocale') },
              ...LOCALES.map((value) => ({ value, label: LOCALE_NAMES[value] })),
            ]}
          />
          <TextInput {...text('privacy')} type="url" inputMode="url" />
          <TextInput {...text('offer')} type="url" inputMode="url" />
        </SimpleGrid>
      </Section>
    </ContractForm>
  );
}

export function Section({
  id,
  title,
  children,
}: {
  id: string;
  title: string;
  children: React.ReactNode;
}) {
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Title order={2} size="h5" mb="sm" id={id}>
        {title}
      </Title>
      {children}
    </Paper>
  );
}

interface ColorFieldProps extends ComponentProps<typeof TextInput> {
  shown: string;
  ratio: number;
  minimum: number;
  /** What is read on what. */
  what: string;
  onPick: (color: string) => void;
}

/** A colour in words or from the picker of the browser, with how well it is read. */
function ColorField({ shown, ratio, minimum, what, onPick, ...props }: ColorFieldProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  // Rounded down: what is refused is not shown as enough.
  const shorten = (value: number) => formats.number(Math.floor(value * 10) / 10);
  const values = { what, ratio: shorten(ratio), minimum: shorten(minimum) };
  return (
    <Stack gap={4}>
      <TextInput
        {...props}
        rightSectionWidth={52}
        rightSection={
          <input
            type="color"
            value={shown}
            aria-label={t('brands:pick', { label: String(props.label) })}
            disabled={props.disabled}
            onChange={(event) => onPick(event.currentTarget.value)}
            style={{ width: 44, height: 28, padding: 2, border: 0, background: 'none' }}
          />
        }
      />
      <Text size="xs" c={ratio < minimum ? 'red' : 'dimmed'} role="status">
        {t(ratio < minimum ? 'brands:contrast.bad' : 'brands:contrast.good', values)}
      </Text>
    </Stack>
  );
}
