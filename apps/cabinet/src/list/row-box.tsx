import { useTranslation } from 'react-i18next';
import { rowNameId } from './row-props.ts';
import { TickBox } from './tick-box.tsx';
import type { Selection } from './use-selection.ts';

interface RowBoxProps<T extends { id: string }> {
  row: T;
  isTicked: boolean;
  onTick: Selection<T>['toggle'];
}

/** Ticks one row; with Shift everything between it and the one before. */
export function RowBox<T extends { id: string }>({ row, isTicked, onTick }: RowBoxProps<T>) {
  const { t } = useTranslation();
  return (
    <TickBox
      label={t('list:select.row')}
      of={rowNameId(row.id)}
      checked={isTicked}
      onTick={(_, withShift) => onTick(row, withShift)}
    />
  );
}
