import type { Template } from '@heliograph/contract';
import { Alert, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormErrors } from '../../../../core/use-form-errors.ts';
import { showSuccess } from '../../../../core/toast.tsx';
import { useCreateTemplate, useUpdateTemplate } from '../../../templates/templates.api.ts';
import { Dialog } from '../../../../ui/dialog.tsx';
import { entriesOf, type SendValues } from '../form/send-values.ts';
import { changesTo, templateOf } from '../form/template-changes.ts';

interface SaveTemplateProps {
  values: SendValues;
  /** The template that is changed; none is a new one. */
  target: Template | null;
  /** The template with the same message, if there is one. */
  inUse: Template | null;
  onSaved: (template: Template) => void;
  onClose: () => void;
}

/** Keeps the message, its fallbacks and perhaps its recipients for another time. */
export function SaveTemplate({ values, target, inUse, onSaved, onClose }: SaveTemplateProps) {
  const { t } = useTranslation();
  const { include, when, hours } = values;
  const hasPeople = include.lists.length > 0 || entriesOf(include.typed).length > 0;
  const [title, setTitle] = useState(target?.title ?? '');
  const [asked, setAsked] = useState(false);
  const [withPeople, setWithPeople] = useState(hasPeople && (!target || !!target.recipient));
  const create = useCreateTemplate();
  const update = useUpdateTemplate(target?.id ?? '');
  const isPending = create.isPending || update.isPending;
  const error = create.error ?? update.error;
  const { byField, rest } = useFormErrors()(error, ['title']);
  const changes = target && {
    ...changesTo(target, values, withPeople),
    ...(title.trim() !== target.title && { title: title.trim() }),
  };
  const asksAgain =
    target && target.moderation !== 'pending' && (changes?.payload || changes?.fallbacks);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    setAsked(true);
    if (!title.trim()) return;
    const onSuccess = (saved: Template) => {
      showSuccess(t('send:templateSaved', { title: saved.title }));
      if (target) onSaved(saved);
      onClose();
    };
    if (changes) update.mutate(changes, { onSuccess });
    else create.mutate({ ...templateOf(values, withPeople), title: title.trim() }, { onSuccess });
  };
  const heading = target
    ? t('send:templateChange', { title: target.title })
    : t('send:saveTemplate');
  return (
    <Dialog opened busy={isPending} onClose={onClose} title={heading}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          {!target && inUse && (
            <Alert color="yellow">{t('send:templateSame', { title: inUse.title })}</Alert>
          )}
          {(when === 'later' || hours > 0) && (
            <Alert color="yellow">{t('send:templateSchedule')}</Alert>
          )}
          {!!error && rest && (
            <Alert color="red" role="alert">
              {rest}
            </Alert>
          )}
          <TextInput
            label={t('send:templateTitle')}
            required
            maxLength={50}
            data-autofocus
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
            error={asked && !title.trim() ? t('errors:rule.required') : byField.title}
          />
          {hasPeople && (
            <Checkbox
              label={t('send:templatePeople')}
              checked={withPeople}
              onChange={(event) => setWithPeople(event.currentTarget.checked)}
            />
          )}
          {changes && (
            <Text size="sm" role="status">
              {Object.keys(changes).length === 0
                ? t('send:templateUnchanged')
                : asksAgain
                  ? t('send:templateAsksAgain')
                  : ''}
            </Text>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={isPending}>
              {t('cancel')}
            </Button>
            <Button
              type="submit"
              loading={isPending}
              disabled={changes !== null && Object.keys(changes).length === 0}
            >
              {t('send:save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
