import classes from './grid.module.css';

interface GridCheckboxProps {
  label: string;
  /** The id of the element that names the row. */
  of?: string;
  checked: boolean;
  /** Some of the rows are selected. */
  indeterminate?: boolean;
  onToggle: (on: boolean, withShift: boolean) => void;
}

/** A native checkbox: toggling eighty of a component library is noticeably slow. */
export function GridCheckbox({
  label,
  of,
  checked,
  indeterminate = false,
  onToggle,
}: GridCheckboxProps) {
  return (
    <label className={classes.checkboxLabel}>
      <input
        type="checkbox"
        className={classes.checkbox}
        id={of && `${of}-checkbox`}
        aria-label={label}
        aria-labelledby={of && `${of}-checkbox ${of}`}
        checked={checked}
        ref={(box) => {
          if (box) box.indeterminate = indeterminate;
        }}
        onChange={({ currentTarget, nativeEvent }) =>
          onToggle(currentTarget.checked, (nativeEvent as unknown as MouseEvent).shiftKey)
        }
      />
    </label>
  );
}
