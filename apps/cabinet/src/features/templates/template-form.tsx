import { templates, type SendingType, type TemplateRow } from '@heliograph/contract';
import { TRAFFIC_GROUPS, type TextFormat } from '@heliograph/domain';
import { Checkbox, NativeSelect, Text, TextInput, Box, Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useSettings } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { later } from '../../ui/later.tsx';
import { FormatSwitch } from '../../ui/text-format.tsx';
import { SendernameSelect } from '../sendernames/sendername-select.tsx';
import classes from './template-preview.module.css';
import { TemplateText } from './template-text.tsx';
import { TemplateTranslations } from './template-translations.tsx';
import {
  brokenRules,
  changesOf,
  inputOf,
  isRewritten,
  valuesOf,
  buttonsOf,
  previewOf,
  type TemplateValues,
} from './template-values.ts';
import { useCreateTemplate, useUpdateTemplate, type TemplateDraft } from './templates.api.ts';

const MailPreview = later(async () => (await import('../../ui/mail-preview.tsx')).MailPreview);

interface TemplateFormProps {
  row: TemplateRow | null;
  readOnly: boolean;
  onClose: () => void;
}

const NAMES = {
  'payload.sender': 'sender',
  'payload.text': 'text',
  'payload.subject': 'subject',
  'payload.format': 'format',
  'translations.*.payload.text': 'translations.*.text',
  'translations.*.payload.subject': 'translations.*.subject',
};

/** Writes a template, or changes what it says; beside it the message as it arrives. */
export function TemplateForm({ row, readOnly, onClose }: TemplateFormProps) {
  const { t } = useTranslation();
  const { types } = useSettings().sendings;
  const create = useCreateTemplate();
  const update = useUpdateTemplate(row?.id ?? '');
  // Events replace the row while it is edited.
  const [before] = useState(() => valuesOf(row, types[0] ?? 'sms'));
  const form = useContractForm({
    initial: before,
    isEdit: !!row,
    schema: row ? templates.update.body : templates.create.body,
    names: NAMES,
    check: brokenRules,
    toBody: (values) => (row ? changesOf(values, before, row) : inputOf(values, null)),
    submit: (body): Promise<unknown> =>
      row ? update.mutateAsync(body) : create.mutateAsync(body as TemplateDraft),
    onDone(_, { title }) {
      showSuccess(t('templates:saved', { title: title.trim() }));
      onClose();
    },
  });
  const { values } = form;
  const submit = t(row ? 'templates:save' : 'templates:createSubmit');
  return (
    <ContractForm form={form} readOnly={readOnly} submit={submit} onCancel={onClose}>
      <TextInput
        {...form.text('title')}
        label={t('templates:name')}
        required
        data-autofocus={!row || undefined}
      />
      <NativeSelect
        {...form.field('type')}
        label={t('templates:type')}
        // Names belong to a channel.
        onChange={(event) =>
          form.set({ type: event.currentTarget.value as SendingType, sender: '' })
        }
        data={[...new Set([values.type, ...types])].map((value) => ({
          value,
          label: t(`common:type.${value}`),
        }))}
      />
      <SendernameSelect {...form.field('sender')} type={values.type} OwnerId={row?.OwnerId} />
      {values.type === 'email' && (
        <TextInput {...form.field('subject')} label={t('templates:subject')} maxLength={250} />
      )}
      {values.type === 'email' && (
        <FormatSwitch
          value={values.format}
          onChange={(format) => form.set({ format })}
          readOnly={readOnly}
        />
      )}
      <TemplateText
        {...form.field('text')}
        hint={t('templates:textHint', { variable: '{firstName|friend}' })}
        type={values.type}
        format={formatOf(values)}
        readOnly={readOnly}
      />
      <TemplateTranslations
        values={values}
        field={form.field}
        onChange={(translations) => form.set({ translations })}
        readOnly={readOnly}
      />
      <NativeSelect
        {...form.field('group')}
        label={t('templates:group')}
        description={t('templates:groupHint')}
        data={TRAFFIC_GROUPS.map((value) => ({ value, label: t(`common:group.${value}`) }))}
      />
      <Checkbox
        {...form.field('isActive', { type: 'checkbox' })}
        label={t('templates:active')}
        description={t('templates:activeHint')}
      />
      <TemplatePreview
        values={values}
        payload={row?.type === values.type ? row.payload : undefined}
      />
      {row && isRewritten(values, before) && row.moderation !== 'pending' && (
        <Text size="sm" role="status">
          {t('templates:asksAgain')}
        </Text>
      )}
    </ContractForm>
  );
}

/** The message as it arrives, with the names of variables in place of values. */
function TemplatePreview({
  values,
  payload,
}: {
  values: TemplateValues;
  payload?: TemplateRow['payload'];
}) {
  const { t } = useTranslation();
  const buttons = payload ? buttonsOf({ payload }) : [];
  return (
    <section aria-label={t('templates:preview')}>
      <Text size="sm" fw={500} mb={4} aria-hidden>
        {t('templates:preview')}
      </Text>
      <Box className={classes.phone}>
        <Text size="xs" c="dimmed" mb={4}>
          {values.sender || t('templates:noSender')}
        </Text>
        <div className={classes.bubble}>
          {values.subject && values.type === 'email' && (
            <Text size="sm" fw={600}>
              {values.subject}
            </Text>
          )}
          <PreviewedText text={previewOf(values.text)} format={formatOf(values)} />
          {buttons.map((text) => (
            <Button key={text} component="span" size="xs" mt="xs" fullWidth>
              {text}
            </Button>
          ))}
        </div>
      </Box>
    </section>
  );
}

/** Other channels have no format. */
const formatOf = ({ type, format }: TemplateValues): TextFormat =>
  type === 'email' ? format : 'plain';

function PreviewedText({ text, format }: { text: string; format: TextFormat }) {
  const { t } = useTranslation();
  if (!text) return <Text c="dimmed">{t('templates:noText')}</Text>;
  return format === 'markdown' ? <MailPreview text={text} /> : text;
}
