import classes from './grid.module.css';

interface TickBoxProps {
  label: string;
  checked: boolean;
  /** Some of what it stands for is ticked. */
  indeterminate?: boolean;
  onTick: (on: boolean, withShift: boolean) => void;
}

/** The browser's own box: to tick eighty of a library's takes longer than a person waits. */
export function TickBox({ label, checked, indeterminate = false, onTick }: TickBoxProps) {
  return (
    <label className={classes.box}>
      <input
        type="checkbox"
        className={classes.tick}
        aria-label={label}
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
