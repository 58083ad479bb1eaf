import { Drawer, Modal, type DrawerProps, type ModalProps } from '@mantine/core';
import { createContext, useContext, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

const Hold = createContext<(isBusy: boolean) => void>(() => {});

/** Said by a form inside a dialog: while its call runs the dialog stays, so that what came of it is seen. */
export function useKeepOpen(isBusy: boolean): void {
  const hold = useContext(Hold);
  useEffect(() => {
    if (!isBusy) return;
    hold(true);
    return () => hold(false);
  }, [hold, isBusy]);
}

interface HoldProps {
  /** What the dialog asked for is under way. A form inside says it by `useKeepOpen`. */
  busy?: boolean;
}

/** A Mantine `Modal` that names its close button and does not close while it is busy. */
export function Dialog({ children, ...props }: Omit<ModalProps, 'closeButtonProps'> & HoldProps) {
  const [frame, hold] = useFrame(props);
  return (
    <Modal {...frame}>
      <Hold value={hold}>{children}</Hold>
    </Modal>
  );
}

/** The same from a side of the screen. */
export function Sheet({ children, ...props }: Omit<DrawerProps, 'closeButtonProps'> & HoldProps) {
  const [frame, hold] = useFrame(props);
  return (
    <Drawer position="right" {...frame}>
      <Hold value={hold}>{children}</Hold>
    </Drawer>
  );
}

function useFrame<P extends HoldProps & { closeOnEscape?: boolean }>({ busy, ...props }: P) {
  const { t } = useTranslation();
  const [isHeld, hold] = useState(false);
  const stays = isHeld || !!busy;
  const frame = {
    ...props,
    closeOnEscape: !stays && props.closeOnEscape,
    closeOnClickOutside: !stays,
    closeButtonProps: { 'aria-label': t('common:close'), disabled: stays },
  };
  return [frame, hold] as const;
}
