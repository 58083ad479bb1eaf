import type { Permission, Preset } from '@heliograph/contract';
import type { TFunction } from 'i18next';
import { useCallback, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Formats } from '../core/formats.ts';
import { useCan } from '../core/settings.ts';
import { useFormats } from '../core/use-formats.ts';
import { IconAction, type ActionWord } from '../ui/icon-action.tsx';
import { IconTrash } from '../ui/icons.ts';
import { later } from '../ui/later.tsx';
import type { RemoveDialog as Dialog, RemoveDialogProps } from '../ui/remove-dialog.tsx';

const RemoveDialog = later(
  async () => (await import('../ui/remove-dialog.tsx')).RemoveDialog,
) as typeof Dialog;

/** How rows are removed, as a constant of their page. */
export interface Removal<R> {
  /** The permission, and the levels at which it must be held. */
  can: [permission: Permission, accept?: Preset];
  /** Rows for which it is not true have no button. */
  of?: (row: R, can: ReturnType<typeof useCan>) => boolean;
  useChange: () => RemoveDialogProps<R>['change'];
  /** The question names the row. */
  words: (t: TFunction, row: R, formats: Formats) => ReturnType<RemoveDialogProps<R>['words']>;
  /** What the button says where that is not the action of the dialog; one that is disabled says why. */
  button?: (t: TFunction, row: R) => { label: string; disabled?: boolean };
  /** What cards call it; `remove` by default. */
  word?: ActionWord;
}

/** The button of a row that may be removed, and the dialog that asks before, for the page. */
export function useRemoval<R extends { id: string }>(
  removal: Removal<R>,
): [button: ((row: R) => ReactNode) | undefined, dialog: ReactNode] {
  const { t } = useTranslation();
  const formats = useFormats();
  const can = useCan();
  const change = removal.useChange();
  const [row, setRow] = useState<R | null>(null);
  const button = useCallback(
    (one: R) =>
      removal.of?.(one, can) !== false && (
        <IconAction
          icon={IconTrash}
          word={removal.word ?? 'remove'}
          label={removal.words(t, one, formats).action}
          {...removal.button?.(t, one)}
          onClick={() => setRow(one)}
        />
      ),
    [t, formats, can, removal],
  );
  const dialog = (
    <RemoveDialog
      row={row}
      change={change}
      words={(one) => removal.words(t, one, formats)}
      onClose={() => setRow(null)}
    />
  );
  return [can(...removal.can) ? button : undefined, dialog];
}
