import { ApiError, type Conversation, type ConversationNote } from '@heliograph/contract';
import { Button, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useDocumentVisibility } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePolling } from '../../core/realtime/live.ts';
import { useCan, useSettings } from '../../core/settings.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { IconInbox } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PersonLink } from '../../ui/person-link.tsx';
import type { RemoveDialog as Removal } from '../../ui/remove-dialog.tsx';
import { AssigneeSelect } from './assignee-select.tsx';
import { ConversationBadge } from './conversation-badge.tsx';
import classes from './conversations.module.css';
import { LabelsInput } from './labels-input.tsx';
import {
  conversationQuery,
  markRead,
  useClose,
  useRemoveNote,
  useReopen,
  useThread,
} from './thread.api.ts';
import { Message } from './message.tsx';
import { ReplyForm } from './reply-form.tsx';

const NoteForm = later(async () => (await import('./note-form.tsx')).NoteForm);
const RemoveDialog = later(
  async () => (await import('../../ui/remove-dialog.tsx')).RemoveDialog,
) as typeof Removal;

/** The conversation of an id: its head, its messages and the reply. */
export function Thread({ id }: { id: string }) {
  const { t } = useTranslation();
  const refetchInterval = usePolling('conversations');
  const { data, error, refetch } = useQuery({ ...conversationQuery(id), refetchInterval });
  // The person was erased, or the messages have expired.
  if (error instanceof ApiError && error.status === 404)
    return (
      <Empty
        icon={IconInbox}
        title={t('conversations:gone.title')}
        text={t('conversations:gone.text')}
      />
    );
  if (data) return <Open conversation={data} />;
  if (!error) return <DetailsSkeleton />;
  return (
    <ErrorCard title={t('conversations:failed')} error={error} onRetry={() => void refetch()} />
  );
}

function Open({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation();
  const thread = useThread(conversation);
  const { messages } = thread;
  // A note may be later than a message that is not shown yet.
  const lastId = messages?.findLast(({ note }) => !note)?.id;
  const [leaving, setLeaving] = useState<ConversationNote | null>(null);
  const removal = useRemoveNote(conversation.id);
  useReadShown(conversation, lastId);
  return (
    <Stack gap="sm" className={classes.open}>
      <Head conversation={conversation} />
      <div
        className={classes.scroller}
        role="log"
        aria-label={t('conversations:messages')}
        // Scrolled by keys.
        tabIndex={0}
      >
        <div>
          {thread.hasEarlier && (
            <Group justify="center" mb="sm">
              <Button
                variant="default"
                size="xs"
                loading={thread.isLoadingEarlier}
                onClick={thread.loadEarlier}
              >
                {t('conversations:earlier')}
              </Button>
            </Group>
          )}
          {thread.isPending && <DetailsSkeleton />}
          {thread.error && (
            <ErrorCard
              title={t('conversations:messagesFailed')}
              error={thread.error}
              onRetry={thread.retry}
            />
          )}
          <ul className={classes.messages}>
            {messages?.map((message) => (
              <Message key={message.id} message={message} onRemoveNote={setLeaving} />
            ))}
          </ul>
        </div>
      </div>
      <Writing conversation={conversation} lastId={lastId} />
      <RemoveDialog
        row={leaving}
        words={({ text }) => ({
          question: t('conversations:note.question'),
          action: t('conversations:note.remove'),
          text,
        })}
        change={removal}
        onClose={() => setLeaving(null)}
      />
    </Stack>
  );
}

interface WritingProps {
  conversation: Conversation;
  lastId: string | undefined;
}

/** A reply to the person or a note of the team, of those that the user may write. */
function Writing({ conversation, lastId }: WritingProps) {
  const { t } = useTranslation();
  const can = useCan();
  const [chosen, setChosen] = useState('reply');
  const mayReply = can('sendings.generate');
  const mayNote = can('sendingsIncoming.update');
  const kind = mayReply && mayNote ? chosen : mayReply ? 'reply' : 'note';
  return (
    <>
      {mayReply && mayNote && (
        <SegmentedControl
          aria-label={t('conversations:writing')}
          value={kind}
          onChange={setChosen}
          data={[
            { value: 'reply', label: t('conversations:reply.title') },
            { value: 'note', label: t('conversations:note.title') },
          ]}
          style={{ alignSelf: 'flex-start' }}
        />
      )}
      {kind === 'reply' && mayReply && (
        <ReplyForm key={conversation.id} conversation={conversation} lastId={lastId} />
      )}
      {kind === 'note' && mayNote && <NoteForm id={conversation.id} />}
    </>
  );
}

function Head({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation();
  const mayUpdate = useCan()('sendingsIncoming.update');
  const close = useClose();
  const reopen = useReopen();
  const { id, address, contact, state, Owner, OwnerId } = conversation;
  const isClosed = state === 'closed';
  const change = isClosed ? reopen : close;
  return (
    <Stack gap="xs">
      <Group gap="sm" className={classes.beside}>
        <Title order={2} size="h4" className="numeric">
          <Blurred what={t('conversations:person')}>
            <PersonLink address={address} OwnerId={OwnerId}>
              {contact ?? address}
            </PersonLink>
          </Blurred>
        </Title>
        <ConversationBadge state={state} />
        <Text size="sm" c="dimmed" className="numeric">
          <Blurred what={t('conversations:person')}>
            {[contact && address, Owner?.username].filter(Boolean).join(' · ')}
          </Blurred>
        </Text>
      </Group>
      {mayUpdate && (
        <Group gap="xs">
          <AssigneeSelect conversation={conversation} />
          <Button variant="default" loading={change.isPending} onClick={() => change.mutate(id)}>
            {t(isClosed ? 'conversations:reopen' : 'conversations:close')}
          </Button>
          <div className={classes.labels}>
            <LabelsInput conversation={conversation} />
          </div>
        </Group>
      )}
    </Stack>
  );
}

/** Marks what is shown as read. What support sees in another account stays unread for that account. */
function useReadShown({ id, unread, OwnerId }: Conversation, lastId: string | undefined): void {
  const { session } = useSettings();
  const mayUpdate = useCan()('sendingsIncoming.update');
  const isVisible = useDocumentVisibility() === 'visible';
  const marked = useRef('');
  const isDue = unread > 0 && isVisible && mayUpdate && OwnerId === session.OwnerId;
  useEffect(() => {
    if (!isDue || !lastId || marked.current === lastId) return;
    marked.current = lastId;
    markRead(id, lastId).catch(() => (marked.current = ''));
  }, [id, isDue, lastId]);
}
