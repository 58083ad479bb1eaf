import { templates, type Template } from '@heliograph/contract';
import { Alert, Checkbox, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../../core/forms/contract-form.tsx';
import { useContractForm } from '../../../core/forms/use-contract-form.tsx';
import { showSuccess } from '../../../core/toast.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import {
  useCreateTemplate,
  useUpdateTemplate,
  type TemplateDraft,
} from '../../templates/templates.api.ts';
import { entriesOf, type SendValues } from '../form/send-values.ts';
import { changesTo, templateOf } from '../form/template-values.ts';

interface SaveTemplateProps {
  values: SendValues;
  /** The template that is changed; null for a new one. */
  target: Template | null;
  /** The template with the same message, if there is one. */
  inUse: Template | null;
  onSaved: (template: Template) => void;
  onClose: () => void;
}

/** Saves the message, its fallbacks and, if chosen, its recipients as a template. */
export function SaveTemplate(props: SaveTemplateProps) {
  const { t } = useTranslation();
  const { target, onClose } = props;
  const title = target ? t('send:templateChange', { title: target.title }) : t('send:saveTemplate');
  return (
    <Dialog opened onClose={onClose} title={title}>
      <TemplateForm {...props} />
    </Dialog>
  );
}

function TemplateForm({ values, target, inUse, onSaved, onClose }: SaveTemplateProps) {
  const { t } = useTranslation();
  const { include, when, hours } = values;
  const hasRecipients = include.lists.length > 0 || entriesOf(include.typed).length > 0;
  const create = useCreateTemplate();
  const update = useUpdateTemplate(target?.id ?? '');
  const bodyOf = (title: string, withRecipients: boolean): Partial<TemplateDraft> =>
    target
      ? {
          ...changesTo(target, values, withRecipients),
          ...(title.trim() !== target.title && { title: title.trim() }),
        }
      : { ...templateOf(values, withRecipients), title: title.trim() };
  const form = useContractForm({
    initial: {
      title: target?.title ?? '',
      withRecipients: hasRecipients && (!target || !!target.recipient),
    },
    schema: target ? templates.update.body : templates.create.body,
    check: ({ title }) => ({ title: !title.trim() && 'required' }),
    toBody: ({ title, withRecipients }) => bodyOf(title, withRecipients),
    blockedBy: ({ title, withRecipients }) =>
      Object.keys(bodyOf(title, withRecipients)).length === 0 && t('send:templateUnchanged'),
    submit: (body) =>
      target ? update.mutateAsync(body) : create.mutateAsync(body as TemplateDraft),
    onDone(saved) {
      showSuccess(t('send:templateSaved', { title: saved.title }));
      if (target) onSaved(saved);
      onClose();
    },
  });
  const changes = bodyOf(form.values.title, form.values.withRecipients);
  const needsModeration =
    target && target.moderation !== 'pending' && (changes.payload || changes.fallbacks);
  return (
    <ContractForm form={form} submit={t('send:save')} onCancel={onClose}>
      {!target && inUse && (
        <Alert color="yellow">{t('send:templateSame', { title: inUse.title })}</Alert>
      )}
      {(when === 'later' || hours > 0) && (
        <Alert color="yellow">{t('send:templateSchedule')}</Alert>
      )}
      <TextInput {...form.text('title')} label={t('send:templateTitle')} required data-autofocus />
      {hasRecipients && (
        <Checkbox
          {...form.field('withRecipients', { type: 'checkbox' })}
          label={t('send:templatePeople')}
        />
      )}
      {target && (
        <Text size="sm" role="status">
          {needsModeration ? t('send:templateAsksAgain') : ''}
        </Text>
      )}
    </ContractForm>
  );
}
