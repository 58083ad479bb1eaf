import type { Level } from '@heliograph/contract';
import { Skeleton } from '@mantine/core';
import { useSeesOwners } from '../../core/owners.ts';
import { later } from '../../ui/later.tsx';

// Only resellers and managers see it, so its code is loaded for them alone.
const OwnerSelect = later(
  async () => (await import('../../ui/owner-select.tsx')).OwnerSelect,
  <Skeleton height={36} width={200} />,
);

interface OwnerFilterProps {
  label: string;
  /** Only accounts of this level. */
  level?: Level;
  value: string | null;
  onChange: (id: string | null) => void;
}

export function OwnerFilter({ label, level, value, onChange }: OwnerFilterProps) {
  if (!useSeesOwners()) return null;
  return (
    <OwnerSelect
      aria-label={label}
      placeholder={label}
      level={level}
      value={value}
      onChange={onChange}
    />
  );
}
