import { useFormats } from '../core/use-formats.ts';
import classes from './bars.module.css';

type BarKind = 'submitted' | 'delivered' | 'failed';

export interface BarStep<K extends BarKind> {
  key: string;
  label: string;
  /** Under the first step and the last one. */
  mark: string;
  /** Absent where there was nothing. */
  counts?: Readonly<Record<K, number>>;
}

interface BarsProps<K extends BarKind> {
  steps: readonly BarStep<K>[];
  kinds: readonly K[];
  nameOf: (kind: K) => string;
  /** One upon the other instead of side by side. */
  isStacked?: boolean;
}

/** Counts over time. A table beside it says the same to assistive programs. */
export function Bars<K extends BarKind>({ steps, kinds, nameOf, isStacked }: BarsProps<K>) {
  const formats = useFormats();
  const heights = steps.flatMap(({ counts }) => {
    const all = kinds.map((kind) => counts?.[kind] ?? 0);
    return isStacked ? all.reduce((sum, count) => sum + count, 0) : all;
  });
  const most = Math.max(1, ...heights);
  return (
    <div aria-hidden>
      <div className={classes.bars}>
        {steps.map(({ key, label, counts }) => (
          <div
            key={key}
            className={classes.step}
            data-stacked={isStacked}
            title={
              counts &&
              `${label}: ${kinds.map((kind) => `${nameOf(kind)} ${formats.number(counts[kind])}`).join(', ')}`
            }
          >
            {counts &&
              kinds.map((kind) => (
                <span
                  key={kind}
                  data-kind={kind}
                  style={{ height: `${(counts[kind] / most) * 100}%` }}
                />
              ))}
          </div>
        ))}
      </div>
      <div className={classes.axis}>
        <span>{steps[0]!.mark}</span>
        {steps.length > 1 && <span>{steps.at(-1)!.mark}</span>}
      </div>
      <ul className={classes.legend}>
        {kinds.map((kind) => (
          <li key={kind} data-kind={kind}>
            {nameOf(kind)}
          </li>
        ))}
      </ul>
    </div>
  );
}
