import classes from './home.module.css';

/** Seven days as a line; the number beside it is the value. */
export function Sparkline({ values }: { values: number[] }) {
  const top = Math.max(...values);
  if (top <= 0) return null;
  return (
    <svg
      className={classes.spark}
      preserveAspectRatio="none"
      viewBox={`0 0 ${values.length * 10} 24`}
      aria-hidden
    >
      {values.map((value, index) => {
        const height = Math.max(1, (value / top) * 22);
        return <rect key={index} x={index * 10} y={24 - height} width={7} height={height} rx={1} />;
      })}
    </svg>
  );
}
