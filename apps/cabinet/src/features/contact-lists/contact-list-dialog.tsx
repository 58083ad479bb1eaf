import { ContactListInput, type ContactList, type ContactListType } from '@heliograph/contract';
import { Alert, Button, Group, Radio, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import { useLast } from '../../core/use-last.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormErrors } from '../../core/use-form-errors.ts';
import { useKeepOpen } from '../../core/forms/dialog-hold.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useSaveContactList } from './contact-lists.api.ts';

interface ContactListDialogProps {
  opened: boolean;
  /** The list that is changed; none is a new one. */
  list: ContactList | null;
  onClose: () => void;
}

export function ContactListDialog({ opened, list, onClose }: ContactListDialogProps) {
  const { t } = useTranslation();
  const last = useLast(list, opened);
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={last ? t('contactLists:edit', { title: last.title }) : t('contactLists:createTitle')}
      size={500}
    >
      <ListForm list={last} onClose={onClose} />
    </Dialog>
  );
}

/** Lives as long as the dialog is open, so every opening begins anew. */
function ListForm({ list, onClose }: Omit<ContactListDialogProps, 'opened'>) {
  const { t } = useTranslation();
  const split = useFormErrors();
  const { mutate, isPending, error } = useSaveContactList(list?.id);
  useKeepOpen(isPending);
  const [title, setTitle] = useState(list?.title ?? '');
  const [type, setType] = useState<z.infer<typeof ContactListType>>(list?.type ?? 'regular');
  const [missing, setMissing] = useState(false);
  const { byField, rest } = error ? split(error, ['title', 'type']) : { byField: {}, rest: null };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const checked = ContactListInput.pick({ title: true, type: true }).safeParse({ title, type });
    setMissing(!checked.success);
    if (!checked.success) return;
    const onSuccess = () => {
      const done = list ? 'contactLists:saved' : 'contactLists:done';
      showSuccess(t(done, { title: checked.data.title }));
      onClose();
    };
    mutate(checked.data, { onSuccess });
  };

  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        {rest && (
          <Alert color="red" role="alert">
            {rest}
          </Alert>
        )}
        <TextInput
          label={t('contactLists:name')}
          required
          maxLength={50}
          data-autofocus
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
          error={(missing && !title.trim() && t('errors:rule.required')) || byField.title}
        />
        <Radio.Group
          label={t('contactLists:type')}
          value={type}
          onChange={(value) => setType(value as typeof type)}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="regular" label={t('contactLists:types.regular')} />
            <Radio
              value="blacklist"
              label={t('contactLists:types.blacklist')}
              description={t('contactLists:blacklistHint')}
            />
          </Stack>
        </Radio.Group>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={isPending}>
            {t(list ? 'contactLists:save' : 'contactLists:createSubmit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
