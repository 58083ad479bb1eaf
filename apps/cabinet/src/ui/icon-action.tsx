import { ActionIcon, Tooltip } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './icon-action.module.css';

export type ActionWord =
  | 'edit'
  | 'rename'
  | 'remove'
  | 'download'
  | 'send'
  | 'reply'
  | 'test'
  | 'turnOn'
  | 'turnOff'
  | 'contract'
  | 'signIn'
  | 'balance'
  | 'replaceSecret'
  | 'replaceUrl'
  | 'renew'
  | 'cancel'
  | 'recreate'
  | 'log'
  | 'pause'
  | 'resume'
  | 'use'
  | 'allow'
  | 'markRead';

interface IconActionProps {
  icon: Icon;
  /** The action with the name of its object. */
  label: string;
  /** The action alone, which a card shows beside the icon. */
  word?: ActionWord;
  disabled?: boolean;
  /** Why it cannot be done now: it is disabled, and says this. */
  refused?: string;
  /** The key that triggers it in a focused row. */
  shortcut?: string;
  onClick: () => void;
}

/** An action of one row: an icon with a tooltip, on a card with its word. */
export function IconAction({
  icon: ActionGlyph,
  label,
  word,
  disabled,
  refused,
  shortcut,
  onClick,
}: IconActionProps) {
  const { t } = useTranslation();
  return (
    <Tooltip label={refused ?? label} multiline maw={300}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        className={classes.action}
        aria-label={label}
        aria-keyshortcuts={shortcut}
        disabled={disabled}
        // Still hovered and focused, so that the reason can be read.
        data-disabled={!!refused || undefined}
        aria-disabled={!!refused || undefined}
        aria-description={refused}
        onClick={refused ? undefined : onClick}
      >
        <ActionGlyph size={18} aria-hidden />
        {word && (
          <span className={classes.word} aria-hidden>
            {t(`common:action.${word}`)}
          </span>
        )}
      </ActionIcon>
    </Tooltip>
  );
}
