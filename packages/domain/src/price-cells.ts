import { MAX_CALL_INTERVAL } from './call-lengths.ts';
import type { CallIntervals } from './tariff.ts';

/** Headers of the columns with intervals of calls: both in one cell (`60/1`), or each in its own. */
export const INTERVAL_HEADERS = {
  increments:
    'increment,increments,billing increment,billing increments,call increment,call increments,intervals,pulse,интервалы,тарификация,шаг тарификации,incremento,incrementos,incrémentation,incréments,taktung,takt,scatti,scatto',
  first:
    'first,first interval,first increment,first seconds,initial,initial increment,initial interval,minimum,min duration,minimum duration,первый интервал,минимум,primer intervalo,primeiro intervalo,premier intervalle,erster takt,primo intervallo',
  interval:
    'interval,next,next interval,next increment,following interval,subsequent,subsequent increment,subsequent interval,второй интервал,следующий интервал,intervalo,siguiente intervalo,intervalo seguinte,intervalle,intervalle suivant,folgender takt,intervallo,intervallo successivo',
} as const;

const INTERVALS = /^(\d{1,4})(?: ?\/ ?(\d{1,4}))?$/;

/**
 * The intervals of calls in a row of a price list: `60/1`, or `60` for equal ones, in one cell, or the two in cells of their own. Undefined if it has none, null
 * for what are no intervals, or cells that contradict each other.
 */
export function callIntervals(
  cells: Record<keyof typeof INTERVAL_HEADERS, string>,
): CallIntervals | null | undefined {
  const [increments, first, interval] = [cells.increments, cells.first, cells.interval].map(
    (cell) => cell.trim(),
  ) as [string, string, string];
  const apart = first || interval ? `${first || interval}/${interval || first}` : '';
  if (!increments && !apart) return undefined;
  if (increments && apart) return null;
  const [, one, next = one] = INTERVALS.exec(increments || apart) ?? [];
  if (!one || !next) return null;
  const read = { first: Number(one), interval: Number(next) };
  const isValid = (seconds: number) => seconds >= 1 && seconds <= MAX_CALL_INTERVAL;
  return isValid(read.first) && isValid(read.interval) ? read : null;
}

/** How a file writes fractions; null if its prices do not tell. */
export type DecimalMark = '.' | ',' | null;

const MAX_CELL = 100;
const PLAIN = /^\d{1,9}(?:[.,]\d{1,9})?$/;
/** 1,234 is a thousand in one country and a fraction in another. */
const AMBIGUOUS = /^[1-9]\d{0,2}([.,])\d{3}$/;

/** By the prices of a file that can be meant in one way only. */
export function decimalMarkOf(cells: Iterable<string>): DecimalMark {
  const marks = new Set<DecimalMark>();
  for (const cell of cells) {
    const text = cell.trim();
    if (text.length > MAX_CELL || !PLAIN.test(text) || AMBIGUOUS.test(text)) continue;
    const mark = /[.,]/.exec(text)?.[0];
    if (mark) marks.add(mark as DecimalMark);
  }
  return marks.size === 1 ? [...marks][0]! : null;
}

/** Whether a price can be read in two ways: `1,234`, unless the file writes fractions with a comma. */
export function isAmbiguousPrice(text: string, mark: DecimalMark): boolean {
  const found = AMBIGUOUS.exec(text);
  return !!found && found[1] !== mark;
}

/** A price without a sign, a currency or groups of thousands. */
export const isPlainPrice = (text: string): boolean => PLAIN.test(text);

/** Digits of E.164. */
const MAX_PREFIX_DIGITS = 15;

/**
 * The prefix of numbers that a cell holds: `1-473`, `+1 (473)` and `001473` are `+1473`. Null for what is none, and for several: a range
 * or a list (`7900-7909`, `44/45`, `79 80`) would be one prefix that nobody has.
 */
export function numberPrefix(cell: string): string | null {
  const text = cell.trim().replace(/\.0$/, '');
  if (text.length > MAX_CELL || !/^\+?[\d ()\u00a0-]+$/.test(text)) return null;
  const [first = '', ...others] = text.match(/\d+/g) ?? [];
  // The sign of an international call stands for the plus.
  const country = first.replace(/^00/, '');
  const groups = country ? [country, ...others] : others;
  const digits = groups.join('');
  if (!/^[1-9]/.test(digits) || digits.length > MAX_PREFIX_DIGITS) return null;
  return groups.some((group, i) => group.length === groups[i + 1]?.length) ? null : `+${digits}`;
}

/** The code of a network as spreadsheets write it: `250-01`, `250 01` and `25001.0` are `25001`. */
export const networkCode = (cell: string): string =>
  cell.length > MAX_CELL
    ? cell
    : cell
        .trim()
        .replace(/\.0$/, '')
        .replace(/[ \u00a0/-]/g, '');
