import { SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './field-grid.module.css';

interface FieldGridProps {
  cols?: 2 | 3;
  children: ReactNode;
}

/** Fields side by side, whose inputs stand in line whatever is above or below each; one below the other on a phone. */
export function FieldGrid({ cols = 2, children }: FieldGridProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: cols }} className={classes.grid}>
      {children}
    </SimpleGrid>
  );
}
