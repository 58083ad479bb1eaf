import type { SendingType, TemplateRow, TrafficGroup } from '@heliograph/contract';
import { TRAFFIC_GROUPS } from '@heliograph/domain';
import {
  Alert,
  Button,
  Fieldset,
  Group,
  NativeSelect,
  Stack,
  Checkbox,
  Text,
  TextInput,
} from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ruleText } from '../../core/errors.ts';
import { useSettings } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormErrors } from '../../core/use-form-errors.ts';
import { useKeepOpen } from '../../core/forms/dialog-hold.ts';
import { SendernameSelect } from '../sendernames/sendername-select.tsx';
import { TemplatePreview } from './template-preview.tsx';
import { TemplateText } from './template-text.tsx';
import {
  brokenRules,
  changesOf,
  inputOf,
  isRewritten,
  valuesOf,
  type TemplateValues,
} from './template-values.ts';
import { useCreateTemplate, useUpdateTemplate } from './templates.api.ts';

interface TemplateFormProps {
  row: TemplateRow | null;
  readOnly: boolean;
  onClose: () => void;
}

const FIELDS = ['title', 'type', 'payload.sender', 'payload.text', 'payload.subject'];

/** Writes a template, or changes what it says; beside it the message as it arrives. */
export function TemplateForm({ row, readOnly, onClose }: TemplateFormProps) {
  const { t } = useTranslation();
  const split = useFormErrors();
  const { types } = useSettings().sendings;
  const create = useCreateTemplate();
  const update = useUpdateTemplate(row?.id ?? '');
  const [values, setValues] = useState(() => valuesOf(row, types[0] ?? 'sms'));
  const [isAsked, setAsked] = useState(false);
  const isPending = create.isPending || update.isPending;
  useKeepOpen(isPending);
  const failure = create.error ?? update.error;
  const { byField, rest } = failure ? split(failure, FIELDS) : { byField: {}, rest: null };
  const broken = brokenRules(values);
  const set = (patch: Partial<TemplateValues>) => setValues((now) => ({ ...now, ...patch }));
  const errorOf = (field: 'title' | 'text', path: string) =>
    (isAsked && broken[field] && ruleText(t, broken[field])) || byField[path];
  const isChanged = !row || Object.keys(changesOf(values, row)).length > 0;

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(true);
    const [first] = Object.keys(broken);
    if (first) {
      event.currentTarget.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
      return;
    }
    const onSuccess = () => {
      showSuccess(t('templates:saved', { title: values.title.trim() }));
      onClose();
    };
    if (row) update.mutate(changesOf(values, row), { onSuccess });
    else create.mutate(inputOf(values, null), { onSuccess });
  };

  return (
    <form onSubmit={onSubmit} noValidate>
      <Fieldset variant="unstyled" disabled={readOnly || isPending}>
        <Stack>
          {rest && (
            <Alert color="red" role="alert">
              {rest}
            </Alert>
          )}
          <TextInput
            name="title"
            label={t('templates:name')}
            required
            maxLength={50}
            data-autofocus={!row || undefined}
            value={values.title}
            onChange={(event) => set({ title: event.currentTarget.value })}
            error={errorOf('title', 'title')}
          />
          <NativeSelect
            label={t('templates:type')}
            value={values.type}
            onChange={(event) =>
              // Names belong to a channel.
              set({ type: event.currentTarget.value as SendingType, sender: '' })
            }
            data={[...new Set([values.type, ...types])].map((value) => ({
              value,
              label: t(`common:type.${value}`),
            }))}
            error={byField.type}
          />
          <SendernameSelect
            type={values.type}
            OwnerId={row?.OwnerId}
            value={values.sender}
            onChange={(sender) => set({ sender })}
            error={byField['payload.sender']}
          />
          {values.type === 'email' && (
            <TextInput
              label={t('templates:subject')}
              maxLength={250}
              value={values.subject}
              onChange={(event) => set({ subject: event.currentTarget.value })}
              error={byField['payload.subject']}
            />
          )}
          <TemplateText
            type={values.type}
            value={values.text}
            onChange={(text) => set({ text })}
            error={errorOf('text', 'payload.text')}
            readOnly={readOnly}
          />
          <NativeSelect
            label={t('templates:group')}
            description={t('templates:groupHint')}
            value={values.group}
            onChange={(event) => set({ group: event.currentTarget.value as TrafficGroup })}
            data={TRAFFIC_GROUPS.map((value) => ({ value, label: t(`common:group.${value}`) }))}
          />
          <Checkbox
            label={t('templates:active')}
            description={t('templates:activeHint')}
            checked={values.isActive}
            onChange={(event) => set({ isActive: event.currentTarget.checked })}
          />
          <TemplatePreview
            values={values}
            payload={row?.type === values.type ? row.payload : undefined}
          />
          {row && isRewritten(values, row) && row.moderation !== 'pending' && (
            <Text size="sm" role="status">
              {t('templates:asksAgain')}
            </Text>
          )}
        </Stack>
      </Fieldset>
      {!readOnly && (
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={isPending} disabled={!isChanged}>
            {t(row ? 'templates:save' : 'templates:createSubmit')}
          </Button>
        </Group>
      )}
    </form>
  );
}
