import { conversations } from '@heliograph/contract';
import { Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { api } from '../../core/api.ts';
import { draftKey as keyOfDraft, readDraft, saveDraft } from '../../core/drafts.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useSettings } from '../../core/settings.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';

/** A note of the team beside the messages. What is not saved stays as a draft. */
export function NoteForm({ id }: { id: string }) {
  const { t } = useTranslation();
  const { session } = useSettings();
  const draftKey = keyOfDraft(session.UserId, `note.${id}`);
  const { mutateAsync } = useMutationOnce({
    mutationFn: (body: { text: string }) => api(conversations.note, { params: { id }, body }),
    meta: { invalidates: ['conversations'], waitsForRefetch: false, showsErrors: true },
  });
  const form = useContractForm({
    initial: { text: readDraft(draftKey)?.text ?? '' },
    schema: conversations.note.body,
    // The same may be written twice.
    repeats: true,
    submit: mutateAsync,
    onDone(_, { text }) {
      const draft = readDraft(draftKey)?.text ?? '';
      // What was written since is the next note.
      const next = draft === text ? '' : draft;
      saveDraft(draftKey, next || null);
      form.restart({ text: next });
    },
  });
  return (
    <ContractForm
      form={form}
      label={t('conversations:note.title')}
      // The draft is kept.
      guarded={false}
      footer={<FormFooter form={form} submit={t('conversations:note.add')} />}
    >
      <Textarea
        {...form.field('text')}
        onChange={(event) => {
          const { value } = event.currentTarget;
          saveDraft(draftKey, value || null);
          form.set({ text: value });
        }}
        label={t('conversations:note.text')}
        description={t('conversations:note.hint')}
        autosize
        minRows={2}
        maxRows={8}
      />
    </ContractForm>
  );
}
