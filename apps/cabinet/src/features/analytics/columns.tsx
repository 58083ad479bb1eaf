import type { AnalyticsDimension, AnalyticsRow } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import classes from './analytics.module.css';
import { withGaps } from './figures.ts';

const KINDS = ['delivered', 'failed'] as const;

/** Messages by day or hour as columns; the table below says the same in figures. */
export function Columns({
  rows,
  by,
  nameOf,
}: {
  rows: AnalyticsRow[];
  by: AnalyticsDimension;
  nameOf: (row: AnalyticsRow) => string;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const most = Math.max(1, ...rows.map(({ figures }) => figures.delivered + figures.failed));
  return (
    <div aria-hidden>
      <div className={classes.bars}>
        {(by === 'day' ? withGaps(rows) : rows).map((row) =>
          'figures' in row ? (
            <div
              key={row.key}
              className={classes.step}
              title={`${nameOf(row)}: ${KINDS.map(
                (kind) => `${t(`analytics:figure.${kind}`)} ${formats.number(row.figures[kind])}`,
              ).join(', ')}`}
            >
              {KINDS.toReversed().map((kind) => (
                <span
                  key={kind}
                  data-kind={kind}
                  style={{ height: `${(row.figures[kind] / most) * 100}%` }}
                />
              ))}
            </div>
          ) : (
            <div key={row.key} className={classes.step} />
          ),
        )}
      </div>
      <div className={classes.axis}>
        <span>{nameOf(rows[0]!)}</span>
        {rows.length > 1 && <span>{nameOf(rows.at(-1)!)}</span>}
      </div>
      <ul className={classes.legend}>
        {KINDS.map((kind) => (
          <li key={kind} data-kind={kind}>
            {t(`analytics:figure.${kind}`)}
          </li>
        ))}
      </ul>
    </div>
  );
}
