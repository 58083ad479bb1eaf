import { Drawer, Modal, type DrawerProps, type ModalProps } from '@mantine/core';
import { useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogHoldContext } from '../core/forms/dialog-hold.ts';
import { LeaveQuestion } from '../core/forms/leave-question.tsx';
import { isOnTop, UNDER } from '../core/forms/on-top.ts';
import { useTyped } from '../core/forms/typed.ts';

interface HoldProps {
  /** What the dialog asked for is under way. A form inside says it by `useKeepOpen`. */
  busy?: boolean;
  /** Nothing in it is worth keeping, so that it closes without a question. */
  savesNothing?: boolean;
}

/** In pixels. Source: the specification of the account area, section 9. */
export type DialogWidth = 500 | 600 | 800 | 1000 | 1200;

interface DialogProps extends Omit<ModalProps, 'closeButtonProps' | 'size'>, HoldProps {
  /** 500 by default. */
  size?: DialogWidth;
}

/**
 * A Mantine `Modal` that names its close button, does not close while it is busy, and asks before it throws away what
 * was typed into its form.
 */
export function Dialog({ children, ...props }: DialogProps) {
  const [frame, hold, question] = useFrame(props);
  return (
    <Modal {...frame}>
      <DialogHoldContext value={hold}>{children}</DialogHoldContext>
      <LeaveQuestion {...question} />
    </Modal>
  );
}

/** The same from a side of the screen. */
export function Sheet({ children, ...props }: Omit<DrawerProps, 'closeButtonProps'> & HoldProps) {
  const [frame, hold, question] = useFrame(props);
  return (
    <Drawer position="right" {...UNDER} {...frame}>
      <DialogHoldContext value={hold}>{children}</DialogHoldContext>
      <LeaveQuestion {...question} />
    </Drawer>
  );
}

function useFrame<P extends HoldProps & { closeOnEscape?: boolean; onClose: () => void }>({
  busy,
  savesNothing,
  ...props
}: P) {
  const { t } = useTranslation();
  const id = useId();
  const typed = useTyped();
  const [isAsking, setAsking] = useState(false);
  const [isHeld, setHeld] = useState(false);
  const [isKept, setKept] = useState(false);
  const watched = useRef(new Set<() => boolean>());
  const hold = useMemo(
    () => ({
      hold: setHeld,
      keep: setKept,
      watch(isDirty: () => boolean) {
        watched.current.add(isDirty);
        return () => void watched.current.delete(isDirty);
      },
    }),
    [],
  );
  const stays = isHeld || !!busy;
  /** By Escape, by a click beside it, by its cross: without a word about what becomes of what was typed. */
  const onClose = () => {
    if (!isOnTop(id)) return;
    const isDirty = typed.isThere() || [...watched.current].some((ask) => ask());
    if (isDirty && !savesNothing) setAsking(true);
    else props.onClose();
  };
  const question = {
    opened: isAsking,
    onStay: () => isOnTop(`${id}-discard`) && setAsking(false),
    onDiscard() {
      setAsking(false);
      props.onClose();
    },
    id: `${id}-discard`,
  };
  const frame = {
    ...props,
    ...typed.watch,
    'data-dialog': id,
    onClose,
    closeOnEscape: !stays && !isKept && props.closeOnEscape,
    closeOnClickOutside: !stays && !isKept,
    closeButtonProps: { 'aria-label': t('common:close'), disabled: stays },
  };
  return [frame, hold, question] as const;
}
