import { useState, type ReactNode } from 'react';
import { later } from '../ui/later.tsx';
import type { RemoveDialog as Dialog, RemoveDialogProps } from '../ui/remove-dialog.tsx';

const RemoveDialog = later(
  async () => (await import('../ui/remove-dialog.tsx')).RemoveDialog,
) as typeof Dialog;

/** Removes rows of a list, each after a question that names it: how it is asked, and the dialog for the page. */
export function useRemoval<R extends { id: string }>(
  change: RemoveDialogProps<R>['change'],
  words: RemoveDialogProps<R>['words'],
): [ask: (row: R) => void, dialog: ReactNode] {
  const [row, setRow] = useState<R | null>(null);
  const dialog = <RemoveDialog {...{ row, change, words }} onClose={() => setRow(null)} />;
  return [setRow, dialog];
}
