/** The home operator of a numbering range. A ported number still answers to its first one. */
export interface Operator {
  /** Mobile country code, three digits. */
  mcc: string;
  /** Mobile network code, or '' when only the country is known. */
  mnc: string;
  /** What tariffs compare: `mcc` and `mnc` together, `25001`. */
  mccmnc: string;
  name: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** Where the range is in use, in the words of its register; null where that is not known. */
  region: string | null;
}

/** Disjoint ranges in ascending order; keys are numbers padded with zeros to fifteen digits. */
export interface OperatorTable {
  starts: Float64Array;
  /** The operator from each start up to the next; null where nobody is known. */
  operators: (Operator | null)[];
}

/** Numbers from `start` to before `end` and their operator. */
interface Row {
  start: number;
  end: number;
  operator: Operator;
}

/** Keys have fifteen digits, the most that E.164 allows. */
const KEY_DIGITS = 15;

/**
 * Reads the tables of operators. `prefixes` is `seeds/operators.csv`: lines `prefix,mcc,mnc,country,name`, prefixes with the
 * calling code and without a plus; a longer prefix wins over a shorter one. `ranges` is `seeds/ru-mobile-ranges.csv`: lines
 * `first,last,mnc,name,region` of numbers of Russia, which do not overlap and win over every prefix. Lines beginning with # are
 * comments. Throws SyntaxError naming the line that is not such a row.
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
    if (!row) throw new SyntaxError(`operators: line ${index + 1} is not a row: ${line}`);
    rows.push(row);
  }
  return rows;
}

/** One object per operator and region, so that neighbouring ranges can be joined and the table stays small. */
function sharedOperators(): (operator: Omit<Operator, 'mccmnc'>) => Operator {
  const known = new Map<string, Operator>();
  return (operator) => {
    const { mcc, mnc, country, name, region } = operator;
    const key = [mcc, mnc, country, name, region].join(' ');
    let one = known.get(key);
    if (!one) known.set(key, (one = { ...operator, mccmnc: mcc + mnc }));
    return one;
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

/** Nested prefixes become disjoint ranges, so that one binary search finds the longest. */
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

/** `rows`, in ascending order, take the place of what the table says of the same numbers. */
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

/** Takes the operator from each start on, in ascending order; what changes nothing is left out, a second start wins. */
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
 * The home operator of an E.164 phone by the longest prefix, or null when the table knows not even
 * its country. `findOperator(table, '+79031234567')?.mccmnc` is '25099'.
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
