import { isBulk, type Bulk, type Task } from '@heliograph/contract';
import { isTaskRemovable, isTaskSteerable, taskTransition } from '@heliograph/domain';
import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../core/settings.ts';
import {
  IconContacts,
  IconPause,
  IconPlay,
  IconReport,
  IconStop,
  IconTrash,
} from '../../ui/icons.ts';
import type { Question } from './task-questions.tsx';
import { useSetTaskState } from './tasks.api.ts';

interface TaskActionsProps {
  task: Task;
  /** Dialogs belong to the page, so that they outlive the row. */
  onAsk: (question: Question) => void;
  /** With words on the buttons, where there is room for them. */
  wide?: boolean;
  /** Where only its course matters: pause, resume and stop. */
  brief?: boolean;
}

/** The messages of a bulk; with `failed` the recipients who were not reached. */
export function reportOf({ data: { sending } }: Bulk, failed = false): string {
  const query = new URLSearchParams({ groupId: sending.groupId });
  if (failed) query.set('outcome', 'failed');
  return `/messages/outgoing?${query}`;
}

/** The actions of a task in its current state; every button names the task. */
export function TaskActions({ task, onAsk, wide, brief }: TaskActionsProps) {
  const { t } = useTranslation();
  const can = useCan();
  const { mutate, isPending: busy } = useSetTaskState();
  const { id, title, state } = task;
  const movesMoney = task.type === 'billings:operations';
  const mayUpdate =
    can('tasks.update') && isTaskSteerable(task.type) && (!movesMoney || can('billings.generate'));
  const act = (action: Action, icon: Icon, does: Pick<ActProps, 'to' | 'onClick' | 'busy'>) => (
    <Act
      icon={icon}
      label={t(LABEL[action], { title })}
      word={wide ? t(`tasks:button.${action}`) : undefined}
      {...does}
    />
  );
  return (
    <Group gap={wide ? 'xs' : 4} wrap={wide ? 'wrap' : 'nowrap'} justify={wide ? '' : 'flex-end'}>
      {/* One button that turns over, so that the focus stays on it. */}
      {mayUpdate &&
        (taskTransition(state, 'pause')
          ? act('pause', IconPause, { busy, onClick: () => mutate({ id, state: 'paused' }) })
          : taskTransition(state, 'resume') &&
            act('resume', IconPlay, { busy, onClick: () => mutate({ id, state: 'scheduled' }) }))}
      {mayUpdate &&
        taskTransition(state, 'cancel') &&
        act('stop', IconStop, { busy, onClick: () => onAsk({ action: 'stop', task }) })}
      {!brief &&
        isBulk(task) &&
        can('sendings.get') &&
        act('report', IconReport, { to: reportOf(task) })}
      {!brief &&
        isBulk(task) &&
        act('contacts', IconContacts, { onClick: () => onAsk({ action: 'contacts', task }) })}
      {!brief &&
        can('tasks.remove') &&
        (!movesMoney || can('billings.generate')) &&
        isTaskRemovable(state) &&
        act('remove', IconTrash, { busy, onClick: () => onAsk({ action: 'remove', task }) })}
    </Group>
  );
}

const LABEL = {
  pause: 'tasks:pause',
  resume: 'tasks:resume',
  stop: 'tasks:stop',
  report: 'tasks:report',
  contacts: 'tasks:contacts',
  remove: 'tasks:remove',
} as const;
type Action = keyof typeof LABEL;

interface ActProps {
  icon: Icon;
  /** Names the task. */
  label: string;
  /** Stands on the button. */
  word?: string;
  busy?: boolean;
  to?: string;
  onClick?: () => void;
}

function Act({ icon: ActIcon, label, word, busy, to, onClick }: ActProps) {
  const glyph = <ActIcon size={18} aria-hidden />;
  // It rests while the call runs, and keeps the focus.
  const common = {
    'aria-label': label,
    'aria-disabled': busy,
    onClick: busy ? undefined : onClick,
  };
  if (word) {
    const look = { variant: 'default', size: 'xs', leftSection: glyph, ...common };
    return to ? (
      <Button component={Link} to={to} {...look}>
        {word}
      </Button>
    ) : (
      <Button {...look}>{word}</Button>
    );
  }
  const look = { variant: 'subtle', color: 'gray', size: 'lg', ...common };
  return (
    <Tooltip label={label}>
      {to ? (
        <ActionIcon component={Link} to={to} {...look}>
          {glyph}
        </ActionIcon>
      ) : (
        <ActionIcon {...look}>{glyph}</ActionIcon>
      )}
    </Tooltip>
  );
}
