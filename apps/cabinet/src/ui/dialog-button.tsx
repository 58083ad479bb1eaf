import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useParam } from '../core/use-param.ts';

interface DialogButtonProps {
  /** In the address while the dialog is open. */
  param: string;
  title: string;
  icon: ReactNode;
  /** The dialog. */
  children: (onClose: () => void) => ReactNode;
}

/** A button that opens a dialog with an address of its own: `?caps=true`. */
export function DialogButton({ param, title, icon, children }: DialogButtonProps) {
  const [isOpen, setOpen] = useParam(param);
  return (
    <>
      <Button variant="default" leftSection={icon} onClick={() => setOpen('true')}>
        {title}
      </Button>
      {isOpen !== null && children(() => setOpen(null, { replace: true }))}
    </>
  );
}
