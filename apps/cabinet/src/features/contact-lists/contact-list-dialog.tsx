import { contactLists, type ContactList, type ContactListType } from '@heliograph/contract';
import { Radio, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useLast } from '../../core/use-last.ts';
import { showSuccess } from '../../core/toast.tsx';
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
  const { mutateAsync } = useSaveContactList(list?.id);
  const form = useContractForm({
    initial: {
      title: list?.title ?? '',
      type: list?.type ?? ('regular' as z.infer<typeof ContactListType>),
    },
    isEdit: !!list,
    schema: contactLists.update.body,
    toBody: ({ title, type }) => ({ title: title.trim(), type }),
    submit: mutateAsync,
    onDone(_, { title }) {
      const done = list ? 'contactLists:saved' : 'contactLists:done';
      showSuccess(t(done, { title: title.trim() }));
      onClose();
    },
  });
  const submit = t(list ? 'contactLists:save' : 'contactLists:createSubmit');
  return (
    <ContractForm form={form} submit={submit} onCancel={onClose}>
      <TextInput {...form.text('title')} label={t('contactLists:name')} required data-autofocus />
      <Radio.Group {...form.field('type')} label={t('contactLists:type')}>
        <Stack gap="xs" mt="xs">
          <Radio value="regular" label={t('contactLists:types.regular')} />
          <Radio
            value="blacklist"
            label={t('contactLists:types.blacklist')}
            description={t('contactLists:blacklistHint')}
          />
        </Stack>
      </Radio.Group>
    </ContractForm>
  );
}
