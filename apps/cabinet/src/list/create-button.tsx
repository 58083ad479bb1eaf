import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconPlus } from '../ui/icons.ts';

/** The main button of a list page; its key is `n`. */
export function CreateButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Button
      leftSection={<IconPlus size={18} aria-hidden />}
      aria-keyshortcuts="n"
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
