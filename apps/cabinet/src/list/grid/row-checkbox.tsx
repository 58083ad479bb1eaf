import { useTranslation } from 'react-i18next';
import { rowNameId } from './row-props.ts';
import { GridCheckbox } from './grid-checkbox.tsx';
import type { Selection } from '../state/use-selection.ts';

interface RowCheckboxProps<T extends { id: string }> {
  row: T;
  isSelected: boolean;
  onToggle: Selection<T>['toggle'];
}

/** Selects one row; with Shift every row between it and the one selected before. */
export function RowCheckbox<T extends { id: string }>({
  row,
  isSelected,
  onToggle,
}: RowCheckboxProps<T>) {
  const { t } = useTranslation();
  return (
    <GridCheckbox
      label={t('list:select.row')}
      of={rowNameId(row.id)}
      checked={isSelected}
      onToggle={(_, withShift) => onToggle(row, withShift)}
    />
  );
}
