import type { Level } from '@heliograph/contract';
import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useSeesOwners } from '../core/owners.ts';

// Only resellers and managers need it.
const OwnerSelect = lazy(async () => ({
  default: (await import('../ui/owner-select.tsx')).OwnerSelect,
}));

interface OwnerFilterProps {
  label: string;
  /** Only people of this level. */
  level?: Level;
  value: string | null;
  onChange: (id: string | null) => void;
}

export function OwnerFilter({ label, level, value, onChange }: OwnerFilterProps) {
  if (!useSeesOwners()) return null;
  return (
    <Suspense fallback={<Skeleton height={36} width={200} />}>
      <OwnerSelect
        aria-label={label}
        placeholder={label}
        level={level}
        value={value}
        onChange={onChange}
      />
    </Suspense>
  );
}
