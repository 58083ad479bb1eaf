import { createContext, useContext, useEffect } from 'react';

interface DialogHold {
  /** While the call of a form runs the dialog does not close, so that its result is seen. */
  hold: (isBusy: boolean) => void;
  /** What is shown this one time is closed by a button only, not by a slip on Escape or beside the dialog. */
  keep: (isShown: boolean) => void;
  /** Asked before the dialog closes; returns what ends it. */
  watch: (isDirty: () => boolean) => () => void;
}

/** What a dialog offers to the form inside it. Outside of dialogs it does nothing. */
export const DialogHoldContext = createContext<DialogHold>({
  hold: () => {},
  keep: () => {},
  watch: () => () => {},
});

export function useKeepOpen(isBusy: boolean): void {
  const { hold } = useContext(DialogHoldContext);
  useEffect(() => {
    if (!isBusy) return;
    hold(true);
    return () => hold(false);
  }, [hold, isBusy]);
}

/** The dialog around it closes by its buttons only while this is shown. */
export function useCloseByButton(): void {
  const { keep } = useContext(DialogHoldContext);
  useEffect(() => {
    keep(true);
    return () => keep(false);
  }, [keep]);
}

/** The dialog around a form asks before it closes while the form has unsaved changes. */
export function useAskBeforeClose(isDirty: () => boolean): void {
  const { watch } = useContext(DialogHoldContext);
  useEffect(() => watch(isDirty), [watch, isDirty]);
}
