import type { ConversationNote } from '@heliograph/contract';
import { Button, Group, Paper, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Blurred } from '../../ui/blurred.tsx';
import { Time } from '../../ui/time.tsx';
import classes from './conversations.module.css';

interface NoteProps {
  note: ConversationNote;
  onRemove: (note: ConversationNote) => void;
}

/** What the team has written among the messages of a thread. */
export function Note({ note, onRemove }: NoteProps) {
  const { t } = useTranslation();
  const { id, text, Author, createdAt, mayRemove } = note;
  return (
    <li data-row={id} data-note>
      <Paper p="sm" className={classes.note}>
        <Text component="span" display="block" size="xs" fw={600}>
          {t('conversations:note.title')}
        </Text>
        <Blurred what={t('conversations:note.title')}>{text}</Blurred>
      </Paper>
      <Group gap="xs" mt={4}>
        <Text component="span" size="xs" c="dimmed">
          <Blurred what={t('conversations:note.author')}>{Author.name}</Blurred> ·{' '}
          <Time at={createdAt} />
        </Text>
        {mayRemove && (
          <Button variant="subtle" size="compact-xs" onClick={() => onRemove(note)}>
            {t('conversations:note.remove')}
          </Button>
        )}
      </Group>
    </li>
  );
}
