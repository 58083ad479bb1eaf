import { useLast } from '../core/use-last.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

export interface RemoveDialogProps<R> {
  /** None closes the dialog. */
  row: R | null;
  words: (row: R) => { question: string; action: string; text: string };
  change: {
    mutate: (id: string, options: { onSuccess: () => void }) => void;
    isPending: boolean;
  };
  onClose: () => void;
}

/** Asks before a row is removed, naming it. */
export function RemoveDialog<R extends { id: string }>({
  row,
  words,
  change,
  onClose,
}: RemoveDialogProps<R>) {
  const last = useLast(row);
  if (!last) return null;
  const { question, action, text } = words(last);
  return (
    <ConfirmDialog
      opened={!!row}
      title={question}
      action={action}
      busy={change.isPending}
      onConfirm={() => change.mutate(last.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      {text}
    </ConfirmDialog>
  );
}
