import type { Template } from '@heliograph/contract';
import { Alert, Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormErrors } from '../../../../core/use-form-errors.ts';
import { showSuccess } from '../../../../core/toast.tsx';
import { useCreateTemplate } from '../../../templates/templates.api.ts';
import { Dialog } from '../../../../ui/dialog.tsx';
import { entriesOf, fallbackOf, payloadOf, type SendValues } from '../form/send-values.ts';

interface SaveTemplateProps {
  values: SendValues;
  /** The template that says the same already. */
  inUse: Template | null;
  onClose: () => void;
}

/** Keeps the message, its fallbacks and perhaps its recipients for another time. */
export function SaveTemplate({ values, inUse, onClose }: SaveTemplateProps) {
  const { t } = useTranslation();
  const { type, fallbacks, include, exclude, when, hours } = values;
  const people = {
    include: [...include.lists, ...entriesOf(include.typed)],
    exclude: [...exclude.lists, ...entriesOf(exclude.typed)],
  };
  const [title, setTitle] = useState('');
  const [asked, setAsked] = useState(false);
  const [withPeople, setWithPeople] = useState(people.include.length > 0);
  const { mutate, isPending, error } = useCreateTemplate();
  const { byField, rest } = useFormErrors()(error, ['title']);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    setAsked(true);
    if (!title.trim()) return;
    const body = {
      title: title.trim(),
      type,
      payload: payloadOf(values),
      fallbacks: fallbacks.map(fallbackOf),
      recipient: withPeople ? people : null,
    };
    mutate(body, {
      onSuccess: () => {
        showSuccess(t('send:templateSaved', { title: body.title }));
        onClose();
      },
    });
  };
  return (
    <Dialog opened busy={isPending} onClose={onClose} title={t('send:saveTemplate')}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          {inUse && <Alert color="yellow">{t('send:templateSame', { title: inUse.title })}</Alert>}
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
          {people.include.length > 0 && (
            <Checkbox
              label={t('send:templatePeople')}
              checked={withPeople}
              onChange={(event) => setWithPeople(event.currentTarget.checked)}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={isPending}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={isPending}>
              {t('send:save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
