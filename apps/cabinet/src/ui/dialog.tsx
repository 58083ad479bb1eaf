import {
  Button,
  Drawer,
  Group,
  Modal,
  Text,
  type DrawerProps,
  type ModalProps,
} from '@mantine/core';
import { createContext, useContext, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isOnTop, useTyped } from './typed.ts';

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

/**
 * A Mantine `Modal` that names its close button, does not close while it is busy, and asks before it throws away what
 * was typed into its form.
 */
export function Dialog({ children, ...props }: Omit<ModalProps, 'closeButtonProps'> & HoldProps) {
  const [frame, hold, question] = useFrame(props);
  return (
    <Modal {...frame}>
      <Hold value={hold}>{children}</Hold>
      <Discard {...question} />
    </Modal>
  );
}

/** The same from a side of the screen. */
export function Sheet({ children, ...props }: Omit<DrawerProps, 'closeButtonProps'> & HoldProps) {
  const [frame, hold, question] = useFrame(props);
  return (
    <Drawer position="right" {...frame}>
      <Hold value={hold}>{children}</Hold>
      <Discard {...question} />
    </Drawer>
  );
}

function useFrame<P extends HoldProps & { closeOnEscape?: boolean; onClose: () => void }>({
  busy,
  ...props
}: P) {
  const { t } = useTranslation();
  const id = useId();
  const typed = useTyped();
  const [isAsking, setAsking] = useState(false);
  const [isHeld, hold] = useState(false);
  const stays = isHeld || !!busy;
  /** By Escape, by a click beside it, by its cross: without a word about what becomes of what was typed. */
  const onClose = () => {
    if (!isOnTop(id)) return;
    if (typed.isThere()) setAsking(true);
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
    closeOnEscape: !stays && props.closeOnEscape,
    closeOnClickOutside: !stays,
    closeButtonProps: { 'aria-label': t('common:close'), disabled: stays },
  };
  return [frame, hold, question] as const;
}

interface DiscardProps {
  id: string;
  opened: boolean;
  onStay: () => void;
  onDiscard: () => void;
}

function Discard({ id, opened, onStay, onDiscard }: DiscardProps) {
  const { t } = useTranslation();
  return (
    <Modal
      data-dialog={id}
      opened={opened}
      onClose={onStay}
      title={t('common:discard.title')}
      size={440}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <Text size="sm" mb="lg">
        {t('common:discard.text')}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onDiscard}>
          {t('common:discard.go')}
        </Button>
        <Button onClick={onStay} data-autofocus>
          {t('common:discard.stay')}
        </Button>
      </Group>
    </Modal>
  );
}
