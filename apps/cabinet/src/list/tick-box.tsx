import classes from './grid.module.css';

interface TickBoxProps {
  label: string;
  /** The id of the element that names what it ticks. */
  of?: string;
  checked: boolean;
  /** Some of what it stands for is ticked. */
  indeterminate?: boolean;
  onTick: (on: boolean, withShift: boolean) => void;
}

/** The browser's own box: to tick eighty of a library's takes longer than a person waits. */
export function TickBox({ label, of, checked, indeterminate = false, onTick }: TickBoxProps) {
  return (
    <label className={classes.box}>
      <input
        type="checkbox"
        className={classes.tick}
        id={of && `${of}-tick`}
        aria-label={label}
        aria-labelledby={of && `${of}-tick ${of}`}
        checked={checked}
        ref={(box) => {
          if (box) box.indeterminate = indeterminate;
        }}
        onChange={({ currentTarget, nativeEvent }) =>
          onTick(currentTarget.checked, (nativeEvent as unknown as MouseEvent).shiftKey)
        }
      />
    </label>
  );
}
