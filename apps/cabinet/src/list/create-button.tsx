import type { Permission, Preset } from '@heliograph/contract';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCan } from '../core/settings.ts';
import { useParam } from '../core/use-param.ts';
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

/** The main button for those with the permission: it opens the form of the page, `?create=true`. */
export function useCreateButton(
  label: string,
  ...can: [permission: Permission, accept?: Preset]
): ReactNode {
  const may = useCan()(...can);
  const [, setCreating] = useParam('create');
  return may && <CreateButton onClick={() => setCreating('true')}>{label}</CreateButton>;
}
