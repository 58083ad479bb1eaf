import { accountNotes, MAX_ACCOUNT_NOTES, type AccountNote, type User } from '@heliograph/contract';
import { Button, Group, Stack, Text, Textarea, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useCan, useSettings } from '../../core/settings.ts';
import { useLast } from '../../core/use-last.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { later } from '../../ui/later.tsx';
import type { RemoveDialog as Removal } from '../../ui/remove-dialog.tsx';
import { Time } from '../../ui/time.tsx';
import { mayAdminister } from './user-rights.ts';
import { notesQuery, useRemoveNote, useSaveNote } from './users.api.ts';

const RemoveDialog = later(
  async () => (await import('../../ui/remove-dialog.tsx')).RemoveDialog,
) as typeof Removal;

/** Notes drawn at first. */
const FIRST = 5;

/** What those who run the account have written about it. The account does not see it. */
export function UserNotes({ user }: { user: User }) {
  const can = useCan();
  const settings = useSettings();
  const isReadable = can('accountNotes.get', 'resellerUp') && mayAdminister(user, settings);
  return isReadable && user.id === user.OwnerId ? <Notes user={user} /> : null;
}

function Notes({ user: { id, username } }: { user: User }) {
  const { t } = useTranslation();
  const can = useCan();
  const [limit, setLimit] = useState(FIRST);
  const [writing, setWriting] = useState<AccountNote | 'new' | null>(null);
  const [leaving, setLeaving] = useState<AccountNote | null>(null);
  const { data, error, refetch, isFetching } = useQuery(notesQuery(id, limit));
  const removal = useRemoveNote(id);
  const last = useLast(writing);
  const onClose = () => setWriting(null);
  return (
    <section aria-labelledby="user-notes">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5" id="user-notes">
          {t('users:notes.title')}
        </Title>
        {can('accountNotes.create', 'resellerUp') && (
          <Button variant="default" size="xs" onClick={() => setWriting('new')}>
            {t('users:notes.add')}
          </Button>
        )}
      </Group>
      {error && (
        <ErrorCard title={t('users:notes.failed')} error={error} onRetry={() => void refetch()} />
      )}
      {data && !data.data.length && (
        <Text size="sm" c="dimmed">
          {t('users:notes.none')}
        </Text>
      )}
      {!!data?.data.length && (
        <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
          {data.data.map((note) => (
            <Note key={note.id} note={note} onEdit={setWriting} onRemove={setLeaving} />
          ))}
        </Stack>
      )}
      {data && data.total > data.data.length && (
        <Button
          mt="sm"
          variant="subtle"
          size="xs"
          loading={isFetching}
          onClick={() => setLimit(MAX_ACCOUNT_NOTES)}
        >
          {t('users:notes.all', { count: data.total })}
        </Button>
      )}
      <Dialog
        opened={!!writing}
        onClose={onClose}
        title={t('users:notes.of', { username })}
        size={500}
      >
        {last && (
          <NoteForm account={id} note={last === 'new' ? undefined : last} onClose={onClose} />
        )}
      </Dialog>
      <RemoveDialog
        row={leaving}
        words={({ text }) => ({
          question: t('users:notes.question'),
          action: t('users:notes.remove'),
          text,
        })}
        change={removal}
        onClose={() => setLeaving(null)}
      />
    </section>
  );
}

interface NoteProps {
  note: AccountNote;
  onEdit: (note: AccountNote) => void;
  onRemove: (note: AccountNote) => void;
}

function Note({ note, onEdit, onRemove }: NoteProps) {
  const { t } = useTranslation();
  const can = useCan();
  const { id, text, Author, createdAt, changedAt, isOwn, mayRemove } = note;
  return (
    <li data-row={id}>
      <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        <Blurred what={t('users:notes.text')}>{text}</Blurred>
      </Text>
      <Group gap="xs" mt={2}>
        <Text component="span" size="xs" c="dimmed">
          {Author.name} · <Time at={createdAt} />
          {changedAt && (
            <>
              {' '}
              · {t('users:notes.changed')} <Time at={changedAt} />
            </>
          )}
        </Text>
        {isOwn && can('accountNotes.update', 'resellerUp') && (
          <Button variant="subtle" size="compact-xs" onClick={() => onEdit(note)}>
            {t('users:notes.edit')}
          </Button>
        )}
        {mayRemove && can('accountNotes.remove', 'resellerUp') && (
          <Button variant="subtle" size="compact-xs" onClick={() => onRemove(note)}>
            {t('users:notes.remove')}
          </Button>
        )}
      </Group>
    </li>
  );
}

interface NoteFormProps {
  account: string;
  note: AccountNote | undefined;
  onClose: () => void;
}

function NoteForm({ account, note, onClose }: NoteFormProps) {
  const { t } = useTranslation();
  const { mutateAsync } = useSaveNote(account, note?.id);
  const form = useContractForm({
    initial: { text: note?.text ?? '' },
    isEdit: !!note,
    schema: accountNotes.create.body,
    submit: mutateAsync,
    onDone: onClose,
  });
  return (
    <ContractForm
      form={form}
      footer={<FormFooter form={form} submit={t('users:notes.save')} onCancel={onClose} />}
    >
      <Textarea
        {...form.field('text')}
        label={t('users:notes.text')}
        description={t('users:notes.hint')}
        autosize
        minRows={3}
        maxRows={12}
        required
        data-autofocus
      />
    </ContractForm>
  );
}
