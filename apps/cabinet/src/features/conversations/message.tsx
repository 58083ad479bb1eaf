import type { ConversationMessage, ConversationNote, Sending } from '@heliograph/contract';
import { Anchor, Group, Paper, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Blurred } from '../../ui/blurred.tsx';
import { Time } from '../../ui/time.tsx';
import { IncomingSection } from '../sendings-incoming/incoming-section.tsx';
import { SendingBadge } from '../sendings/sending-badge.tsx';
import { Note } from './note.tsx';
import classes from './conversations.module.css';

interface MessageProps {
  message: ConversationMessage;
  onRemoveNote: (note: ConversationNote) => void;
}

/** One message of a thread: what it says, by which channel and name, and how it stands; or a note. */
export function Message({ message, onRemoveNote }: MessageProps) {
  const { incoming, sending, note } = message;
  if (note) return <Note note={note} onRemove={onRemoveNote} />;
  if (incoming)
    return (
      <li data-row={incoming.id}>
        <IncomingSection payload={incoming.payload} />
        <About
          to={`/messages/incoming?id=${incoming.id}`}
          type={incoming.type}
          name={incoming.to}
          at={incoming.createdAt}
        />
      </li>
    );
  return sending && <Sent sending={sending} />;
}

function Sent({ sending }: { sending: Sending }) {
  const { t } = useTranslation();
  const { id, type, payload, state, dueAt, createdAt } = sending;
  const files = (['image', 'file', 'video', 'audio'] as const).filter((part) => payload[part]);
  const fault =
    state.code &&
    t(`sendings:error.${state.code}`, { defaultValue: state.error ?? t('errors:unknown') });
  return (
    <li data-row={id} data-sent>
      <Paper p="sm" className={classes.sent}>
        {payload.text ? (
          <Blurred what={t('sendings:text')}>{payload.text}</Blurred>
        ) : (
          <Text c="dimmed">{t('incoming:noText')}</Text>
        )}
        {files.length > 0 && (
          <Text size="sm">{files.map((part) => t(`sendings:part.${part}`)).join(' · ')}</Text>
        )}
      </Paper>
      <Group gap="xs" justify="flex-end" mt={4}>
        <About
          to={`/messages/outgoing?id=${id}`}
          type={type}
          name={payload.sender}
          at={createdAt}
        />
        <SendingBadge state={state} dueAt={dueAt} />
      </Group>
      {fault && (
        <Text size="xs" ta="end">
          {fault}
        </Text>
      )}
    </li>
  );
}

interface AboutProps {
  to: string;
  type: Sending['type'];
  name: string;
  at: string;
}

function About({ to, type, name, at }: AboutProps) {
  const { t } = useTranslation();
  return (
    <Text component="span" size="xs" c="dimmed">
      {t(`common:type.${type}`)} · <Blurred what={t('sendings:sender')}>{name}</Blurred> ·{' '}
      <Anchor component={Link} to={to} size="xs" underline="always">
        <Time at={at} />
      </Anchor>
    </Text>
  );
}
