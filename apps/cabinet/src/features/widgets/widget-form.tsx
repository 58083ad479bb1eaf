import { OTP_CAPTCHAS, otpWidgets, type OtpWidget } from '@heliograph/contract';
import { LOCALES } from '@heliograph/domain';
import {
  Checkbox,
  Fieldset,
  MultiSelect,
  NativeSelect,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { countries } from '../../core/countries.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { LOCALE_NAMES } from '../../core/i18n/locales.ts';
import { NumberField } from '../../ui/number-field.tsx';
import { WidgetPreview } from './widget-preview.tsx';
import { bodyOf, initialValues, stylesOf } from './widget-values.ts';
import type { WidgetDraft } from './widgets.api.ts';

interface WidgetFormProps {
  row: OtpWidget | null;
  readOnly?: boolean;
  submit: (body: WidgetDraft) => Promise<OtpWidget>;
  onDone: (result: OtpWidget) => void;
  onClose: () => void;
}

const MAX_FREE = 2 ** 31 - 1;
const MAX_RADIUS = 32;
const THEMES = ['auto', 'light', 'dark'] as const;
/** With the widget's own colours. */
const COLORS = [
  ['primaryColor', '#1864ab'],
  ['backgroundColor', '#ffffff'],
  ['textColor', '#1f2328'],
] as const;

export function WidgetForm({ row, readOnly, submit, onDone, onClose }: WidgetFormProps) {
  const { t, i18n } = useTranslation();
  const form = useContractForm({
    initial: initialValues(row),
    isEdit: !!row,
    schema: row ? otpWidgets.update.body : otpWidgets.create.body,
    toBody: bodyOf,
    blockedBy: ({ name }) => !name.trim() && t('widgets:nameNeeded'),
    submit,
    onDone,
  });
  const { values } = form;
  const regions = useMemo(
    () => countries(i18n.language).map(({ iso, name }) => ({ value: iso, label: name })),
    [i18n.language],
  );
  return (
    <ContractForm
      form={form}
      readOnly={readOnly}
      footer={
        <FormFooter
          form={form}
          submit={t(row ? 'widgets:save' : 'widgets:createSubmit')}
          onCancel={onClose}
        />
      }
    >
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Stack>
          <TextInput
            {...form.text('name')}
            label={t('widgets:name')}
            required
            autoComplete="off"
            data-autofocus
          />
          <Checkbox
            {...form.field('isActive', { type: 'checkbox' })}
            label={t('widgets:isActive')}
          />
          <Textarea
            {...form.field('ipWhitelist')}
            label={t('widgets:addresses.label')}
            description={t('widgets:addresses.hint')}
            autosize
            minRows={2}
            maxRows={8}
            autoComplete="off"
            spellCheck={false}
          />
          <MultiSelect
            {...form.field('countries')}
            label={t('widgets:countries.label')}
            description={t('widgets:countries.hint')}
            data={regions}
            searchable
            clearable
            comboboxProps={{ withinPortal: false }}
          />
          <Fieldset legend={t('widgets:captcha.label')}>
            <Stack gap="sm">
              <Checkbox
                {...form.field('captchaIsRequired', { type: 'checkbox' })}
                label={t('widgets:captcha.isRequired')}
              />
              {values.captchaIsRequired && (
                <>
                  <NativeSelect
                    {...form.field('captchaProvider')}
                    label={t('widgets:captcha.providerLabel')}
                    description={t('widgets:captcha.providerHint')}
                    data={OTP_CAPTCHAS.map((value) => ({
                      value,
                      label: t(`widgets:captcha.provider.${value}`),
                    }))}
                  />
                  <NumberField
                    {...form.field('captchaFirstFreeRequestsPerIp')}
                    label={t('widgets:captcha.free')}
                    description={t('widgets:captcha.freeHint')}
                    scale={0}
                    min={1}
                    max={MAX_FREE}
                    value={values.captchaFirstFreeRequestsPerIp}
                    onChange={(count) => form.set({ captchaFirstFreeRequestsPerIp: count })}
                  />
                </>
              )}
            </Stack>
          </Fieldset>
        </Stack>
        <Fieldset legend={t('widgets:look.label')}>
          <Stack gap="sm">
            <TextInput
              {...form.text('styles.title')}
              label={t('widgets:look.title')}
              autoComplete="off"
            />
            <SimpleGrid cols={2} spacing="sm">
              <NativeSelect
                {...form.field('styles.locale')}
                label={t('widgets:look.locale')}
                data={[
                  { value: '', label: t('widgets:look.ofPage') },
                  ...LOCALES.map((value) => ({ value, label: LOCALE_NAMES[value] })),
                ]}
              />
              <NativeSelect
                {...form.field('styles.theme')}
                label={t('widgets:look.theme')}
                data={THEMES.map((value) => ({ value, label: t(`widgets:look.themes.${value}`) }))}
              />
              {COLORS.map(([name, example]) => (
                <TextInput
                  key={name}
                  {...form.field(`styles.${name}`)}
                  label={t(`widgets:look.${name}`)}
                  placeholder={example}
                  leftSection={<Swatch color={stylesOf(values, true)[name]} />}
                  maxLength={7}
                  autoComplete="off"
                  spellCheck={false}
                />
              ))}
              <NumberField
                {...form.field('styles.radius')}
                label={t('widgets:look.radius')}
                scale={0}
                min={0}
                max={MAX_RADIUS}
                unit="px"
                value={values.styles.radius}
                onChange={(pixels) => form.set({ styles: { ...values.styles, radius: pixels } })}
              />
            </SimpleGrid>
            <WidgetPreview styles={stylesOf(values, true)} />
          </Stack>
        </Fieldset>
      </SimpleGrid>
    </ContractForm>
  );
}

const Swatch = ({ color }: { color: string | null | undefined }) => (
  <span
    aria-hidden
    style={{
      width: 16,
      height: 16,
      border: '1px solid currentColor',
      borderRadius: 4,
      background: color ?? 'transparent',
    }}
  />
);
