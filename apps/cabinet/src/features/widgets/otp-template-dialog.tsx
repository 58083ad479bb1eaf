import { MAX_OTP_CONDITIONS, otpTemplates, type OtpTemplate } from '@heliograph/contract';
import {
  autofillLine,
  OTP_CODE,
  OTP_CONDITION_TAGS,
  withAutofill,
  type OtpCondition,
} from '@heliograph/domain';
import {
  Button,
  Fieldset,
  Group,
  NativeSelect,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconPlus, IconTrash } from '../../ui/icons.ts';
import { RowDialog } from '../../ui/row-dialog.tsx';
import { SendernameSelect } from '../sendernames/sendername-select.tsx';
import { OtpSettingForm } from './otp-setting-form.tsx';
import {
  otpTemplateQuery,
  useCreateTemplate,
  useUpdateTemplate,
  type TemplateDraft,
} from './widgets.api.ts';

export function OtpTemplateDialog() {
  const { t } = useTranslation();
  const can = useCan();
  return (
    <RowDialog
      query={otpTemplateQuery}
      mayCreate={can('otp-settings.create')}
      frame={Dialog}
      size={600}
      createTitle={t('widgets:templates.createTitle')}
      title={(row) => row?.name ?? t('widgets:templates.detail')}
      failed={t('widgets:templates.detailFailed')}
    >
      {(row, onClose) => (
        <OtpTemplateForm
          key={row?.id}
          row={row}
          readOnly={!!row && !can('otp-settings.update')}
          onClose={onClose}
        />
      )}
    </RowDialog>
  );
}

interface OtpTemplateFormProps {
  row: OtpTemplate | null;
  readOnly?: boolean;
  onClose: () => void;
}

interface Condition {
  key: number;
  tag: OtpCondition['tag'];
  value: string[];
}
interface Values {
  name: string;
  channelType: OtpTemplate['channelType'];
  senderId: string;
  template: string;
  conditions: Condition[];
}

const initialValues = (row: OtpTemplate | null): Values => ({
  name: row?.name ?? '',
  channelType: row?.channelType ?? 'sms',
  senderId: row?.additionalSettings.senderId ?? '',
  template: row?.additionalSettings.template ?? '',
  conditions: (row?.conditions ?? []).map((condition, key) => ({ ...condition, key })),
});

const bodyOf = ({ name, channelType, senderId, template, conditions }: Values): TemplateDraft => ({
  name: name.trim(),
  channelType,
  conditions: conditions.map(({ tag, value }) => ({
    tag,
    value: tag === 'country' ? value.map((country) => country.toUpperCase()) : value,
  })),
  additionalSettings: { senderId: senderId.trim(), template: template.trim() },
});

function OtpTemplateForm({ row, readOnly, onClose }: OtpTemplateFormProps) {
  const { t } = useTranslation();
  const create = useCreateTemplate();
  const update = useUpdateTemplate(row?.id ?? '');
  const form = useContractForm({
    initial: initialValues(row),
    isEdit: !!row,
    schema: otpTemplates.create.body,
    names: {
      'additionalSettings.senderId': 'senderId',
      'additionalSettings.template': 'template',
    },
    toBody: bodyOf,
    submit: ({ channelType, ...changes }) =>
      row ? update.mutateAsync(changes) : create.mutateAsync({ channelType, ...changes }),
    onDone({ name }) {
      showSuccess(t(row ? 'widgets:saved' : 'widgets:createdDone', { name }));
      onClose();
    },
  });
  const { values } = form;
  return (
    <OtpSettingForm form={form} isNew={!row} readOnly={readOnly} onClose={onClose}>
      <SendernameSelect
        {...form.field('senderId')}
        type={values.channelType}
        OwnerId={row?.ownerId}
        value={values.senderId}
        onChange={(name) => form.set({ senderId: name })}
      />
      <Textarea
        {...form.text('template')}
        label={t('widgets:templates.text')}
        description={t('widgets:templates.textHint', { code: OTP_CODE })}
        placeholder={t('widgets:templates.example', { code: OTP_CODE })}
        required
        autosize
        minRows={2}
        maxRows={8}
      />
      {values.channelType === 'sms' && !readOnly && (
        <Autofill onAdd={(line) => form.set({ template: withAutofill(values.template, line) })} />
      )}
      <Conditions
        rows={values.conditions}
        field={(path) => form.field(path)}
        onChange={(conditions) => form.set({ conditions })}
      />
    </OtpSettingForm>
  );
}

/** Adds the last line by which phones fill in the code. */
function Autofill({ onAdd }: { onAdd: (line: string) => void }) {
  const { t } = useTranslation();
  const [site, setSite] = useState('');
  const line = autofillLine(site);
  return (
    <Stack gap={4}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          style={{ flex: 1, minWidth: 0 }}
          label={t('widgets:templates.autofill.site')}
          value={site}
          onChange={(event) => setSite(event.currentTarget.value)}
          placeholder="shop.example"
          maxLength={300}
          autoComplete="off"
          spellCheck={false}
        />
        <Button variant="default" disabled={!line} onClick={() => line && onAdd(line)}>
          {t('widgets:templates.autofill.add')}
        </Button>
      </Group>
      <Text size="xs" c="dimmed">
        {t('widgets:templates.autofill.hint')}
      </Text>
    </Stack>
  );
}

interface ConditionsProps {
  rows: Condition[];
  field: (path: string) => object;
  onChange: (rows: Condition[]) => void;
}

/** All conditions must hold, each with any of its values. */
function Conditions({ rows, field, onChange }: ConditionsProps) {
  const { t } = useTranslation();
  const free = OTP_CONDITION_TAGS.find((tag) => !rows.some((row) => row.tag === tag));
  const add = () => {
    const key = Math.max(-1, ...rows.map((row) => row.key)) + 1;
    onChange([...rows, { key, tag: free ?? OTP_CONDITION_TAGS[0], value: [] }]);
  };
  return (
    <Fieldset legend={t('widgets:conditions.label')}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('widgets:conditions.hint')}
        </Text>
        {rows.map((row, i) => (
          <Group key={row.key} gap="sm" align="flex-start" wrap="nowrap">
            <Stack gap="xs" style={{ flex: 1, minWidth: 0 }}>
              <NativeSelect
                {...field(`conditions.${i}.tag`)}
                label={t('widgets:conditions.tagLabel', { number: i + 1 })}
                data={OTP_CONDITION_TAGS.map((value) => ({
                  value,
                  label: t(`widgets:conditions.tag.${value}`),
                }))}
              />
              <TagsInput
                {...field(`conditions.${i}.value`)}
                label={t('widgets:conditions.values', { number: i + 1 })}
                description={t(`widgets:conditions.example.${row.tag}`)}
                splitChars={[',', ';', ' ', '\n']}
                acceptValueOnBlur
                autoComplete="off"
                spellCheck={false}
              />
            </Stack>
            <IconAction
              icon={IconTrash}
              label={t('widgets:conditions.remove', { number: i + 1 })}
              onClick={() => onChange(rows.filter((_, at) => at !== i))}
            />
          </Group>
        ))}
        <div>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={rows.length >= MAX_OTP_CONDITIONS}
            onClick={add}
          >
            {t('widgets:conditions.add')}
          </Button>
        </div>
      </Stack>
    </Fieldset>
  );
}
