import type { Level } from '@heliograph/contract';
import type { ComponentProps } from 'react';
import { ownerSource } from '../core/owners.ts';
import { AsyncSelect } from './async-select.tsx';

interface OwnerSelectProps extends Omit<ComponentProps<typeof AsyncSelect>, 'source'> {
  /** Only accounts of this level. */
  level?: Level;
}

/** An account by its username. */
export function OwnerSelect({ level, ...props }: OwnerSelectProps) {
  return <AsyncSelect {...props} source={ownerSource(level)} />;
}
