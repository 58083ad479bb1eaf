/** The operator to which a numbering range is allocated. Ported numbers keep their original operator. */
export interface Operator {
  /** Mobile country code, three digits. */
  mcc: string;
  /** Mobile network code; '' if only the country is known. */
  mnc: string;
  /** `mcc` followed by `mnc`, as tariffs compare it: `25001`. */
  mccmnc: string;
  name: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** Region of the range, as named in the source of the table; null if unknown. */
  region: string | null;
}

/** Disjoint ranges in ascending order. Keys are phone numbers padded with zeros to fifteen digits. */
export interface OperatorTable {
  starts: Float64Array;
  /** The operator from each start to the next; null if unknown. */
  operators: (Operator | null)[];
}

/** Numbers from `start` (inclusive) to `end` (exclusive) with their operator. */
interface Row {
  start: number;
  end: number;
  operator: Operator;
}

/** The maximum number of digits in E.164. */
const KEY_DIGITS = 15;

/**
 * Parses the operator tables. `prefixes` is the content of `seeds/operators.csv`: lines `prefix,mcc,mnc,country,name`, with the
 * calling code and without a plus; the longest prefix wins. `ranges` is the content of `seeds/ru-mobile-ranges.csv`: lines
 * `first,last,mnc,name,region` with Russian numbers, which must not overlap and take precedence over prefixes. Lines that start
 * with # are comments. Throws SyntaxError with the number of an invalid line.
 */
export function parseOperators(prefixes: string, ranges = ''): OperatorTable {
  const shared = sharedOperators();
  const nested = rowsOf(prefixes, 'prefix,', (line) => prefixRow(line, shared));
  const flat = rowsOf(ranges, 'first,', (line) => rangeRow(line, shared));
  flat.sort((a, b) => a.start - b.start);
  const overlapping = flat.find((row, i) => i > 0 && row.start < flat[i - 1]!.end);
  if (overlapping) throw new SyntaxError(`operators: ranges overlap at ${overlapping.start}`);
  return overlay(flatten(nested), flat);
}

function rowsOf(csv: string, header: string, read: (line: string) => Row | null): Row[] {
  const rows: Row[] = [];
  for (const [index, line] of csv.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#') || line.startsWith(header)) continue;
    const row = read(line);
    if (!row) throw new SyntaxError(`operators: line ${index + 1} is invalid: ${line}`);
    rows.push(row);
  }
  return rows;
}

/** Returns the same object for the same operator and region, so that adjacent ranges can be merged. */
function sharedOperators(): (operator: Omit<Operator, 'mccmnc'>) => Operator {
  const known = new Map<string, Operator>();
  return (operator) => {
    const { mcc, mnc, country, name, region } = operator;
    const key = [mcc, mnc, country, name, region].join(' ');
    let shared = known.get(key);
    if (!shared) known.set(key, (shared = { ...operator, mccmnc: mcc + mnc }));
    return shared;
  };
}

type Share = ReturnType<typeof sharedOperators>;

function prefixRow(line: string, share: Share): Row | null {
  const row = /^(\d{1,14}),(\d{3}),(\d{0,3}),([A-Z]{2}),(.*)$/.exec(line);
  if (!row) return null;
  const [, prefix, mcc, mnc, country, name] = row as unknown as string[];
  const width = 10 ** (KEY_DIGITS - prefix!.length);
  const start = Number(prefix) * width;
  const operator = share({ mcc: mcc!, mnc: mnc!, country: country!, name: name!, region: null });
  return { start, end: start + width, operator };
}

/** Mobile country code of Russia. */
const RUSSIA = '250';

function rangeRow(line: string, share: Share): Row | null {
  const row = /^(\d{11}),(\d{11}),(\d{0,3}),([^,]+),([^,]*)$/.exec(line);
  if (!row) return null;
  const [, first, last, mnc, name, region] = row as unknown as string[];
  const width = 10 ** (KEY_DIGITS - first!.length);
  const operator = share({
    mcc: RUSSIA,
    mnc: mnc!,
    country: 'RU',
    name: name!,
    region: region || null,
  });
  return { start: Number(first) * width, end: (Number(last) + 1) * width, operator };
}

/** Converts nested prefixes to disjoint ranges, so that a binary search finds the longest prefix. */
function flatten(rows: Row[]): OperatorTable {
  rows.sort((a, b) => a.start - b.start || b.end - a.end);
  const table = tableBuilder();
  const open: Row[] = [];
  const closeUntil = (limit: number): void => {
    while (open.length > 0 && open.at(-1)!.end <= limit) {
      const { end } = open.pop()!;
      table.put(end, open.at(-1)?.operator ?? null);
    }
  };
  for (const row of rows) {
    closeUntil(row.start);
    table.put(row.start, row.operator);
    open.push(row);
  }
  closeUntil(Infinity);
  return table.built();
}

/** Overrides a table with `rows` in ascending order. */
function overlay(under: OperatorTable, rows: Row[]): OperatorTable {
  const table = tableBuilder();
  let next = 0;
  const copyUntil = (limit: number): void => {
    for (; next < under.starts.length && under.starts[next]! < limit; next++)
      table.put(under.starts[next]!, under.operators[next]!);
  };
  for (const { start, end, operator } of rows) {
    copyUntil(start);
    table.put(start, operator);
    while (next < under.starts.length && under.starts[next]! <= end) next++;
    table.put(end, next === 0 ? null : under.operators[next - 1]!);
  }
  copyUntil(Infinity);
  return table.built();
}

/** Builds a table from starts in ascending order. Starts that do not change the operator are omitted; a repeated start replaces the previous one. */
function tableBuilder() {
  const starts: number[] = [];
  const operators: (Operator | null)[] = [];
  return {
    put(start: number, operator: Operator | null): void {
      if (starts.at(-1) === start) {
        starts.pop();
        operators.pop();
      }
      if ((operators.at(-1) ?? null) === operator) return;
      starts.push(start);
      operators.push(operator);
    },
    built: (): OperatorTable => ({ starts: Float64Array.from(starts), operators }),
  };
}

/**
 * The operator of a phone number in E.164, by range or longest prefix. Null if not even the country is known. `findOperator(table, '+79031234567')?.mccmnc` is '25099'.
 */
export function findOperator(table: OperatorTable, phone: string): Operator | null {
  const { starts, operators } = table;
  const key = keyOf(phone);
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (starts[middle]! <= key) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? null : operators[low - 1]!;
}

function keyOf(phone: string): number {
  let key = 0;
  let digits = 0;
  for (let i = phone.charCodeAt(0) === 43 ? 1 : 0; i < phone.length && digits < KEY_DIGITS; i++) {
    key = key * 10 + phone.charCodeAt(i) - 48;
    digits++;
  }
  return key * 10 ** (KEY_DIGITS - digits);
}
