import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Selection } from './use-selection.ts';
import classes from './grid.module.css';

interface RowBoxProps<T extends { id: string }> {
  row: T;
  selection: Selection<T>;
}

/** Ticks one row; with Shift everything between it and the one before. */
export function RowBox<T extends { id: string }>({ row, selection }: RowBoxProps<T>) {
  const { t } = useTranslation();
  return (
    <label className={classes.box}>
      <Checkbox
        aria-label={t('list:select.row')}
        checked={selection.has(row.id)}
        onChange={(event) =>
          selection.toggle(row, (event.nativeEvent as unknown as MouseEvent).shiftKey)
        }
      />
    </label>
  );
}
