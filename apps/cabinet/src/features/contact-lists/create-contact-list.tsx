import { ContactListInput, type ContactListType } from '@heliograph/contract';
import { Alert, Button, Group, Modal, Radio, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import { showSuccess } from '../../core/toast.tsx';
import { useFormErrors } from '../../core/use-form-errors.ts';
import { useCreateContactList } from './contact-lists.api.ts';

export function CreateContactList({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('contactLists:createTitle')}
      size={500}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <CreateForm onClose={onClose} />
    </Modal>
  );
}

/** Lives as long as the dialog is open, so every opening begins empty. */
function CreateForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const split = useFormErrors();
  const { mutate, isPending, error } = useCreateContactList();
  const [title, setTitle] = useState('');
  const [type, setType] = useState<z.infer<typeof ContactListType>>('regular');
  const [missing, setMissing] = useState(false);
  const { byField, rest } = error ? split(error, ['title', 'type']) : { byField: {}, rest: null };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const checked = ContactListInput.safeParse({ title, type });
    setMissing(!checked.success);
    if (!checked.success) return;
    const onSuccess = () => {
      showSuccess(t('contactLists:done', { title: checked.data.title }));
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
            {t('contactLists:createSubmit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
