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
}

/** Disjoint ranges in ascending order; keys are numbers padded with zeros to fifteen digits. */
export interface OperatorTable {
  starts: Float64Array;
  /** The operator from each start up to the next; null where nobody is known. */
  operators: (Operator | null)[];
}

interface Row {
  prefix: string;
  start: number;
  end: number;
  operator: Operator;
}

/**
 * Reads `seeds/operators.csv`: lines `prefix,mcc,mnc,country,name`, prefixes with the calling code
 * and without a plus; a longer prefix wins over a shorter one. Lines beginning with # are comments.
 * Throws SyntaxError naming the line that is not such a row.
 */
export function parseOperators(csv: string): OperatorTable {
  const rows: Row[] = [];
  const shared = new Map<string, Operator>();
  for (const [index, line] of csv.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#') || line.startsWith('prefix,')) continue;
    const row = /^(\d{1,14}),(\d{3}),(\d{0,3}),([A-Z]{2}),(.*)$/.exec(line);
    if (!row) throw new SyntaxError(`operators: line ${index + 1} is not a row: ${line}`);
    const [, prefix, mcc, mnc, country, name] = row as unknown as string[];
    rows.push(
      rowOf(
        prefix!,
        { mcc: mcc!, mnc: mnc!, mccmnc: mcc! + mnc!, name: name!, country: country! },
        shared,
      ),
    );
  }
  return flatten(rows);
}

function rowOf(prefix: string, operator: Operator, shared: Map<string, Operator>): Row {
  const key = `${operator.mccmnc} ${operator.country} ${operator.name}`;
  const same = shared.get(key) ?? operator;
  shared.set(key, same);
  const width = 10 ** (15 - prefix.length);
  const start = Number(prefix) * width;
  return { prefix, start, end: start + width, operator: same };
}

/** Nested prefixes become disjoint ranges, so that one binary search finds the longest. */
function flatten(rows: Row[]): OperatorTable {
  rows.sort((a, b) => a.start - b.start || a.prefix.length - b.prefix.length);
  const starts: number[] = [];
  const operators: (Operator | null)[] = [];
  const open: Row[] = [];
  const put = (start: number, operator: Operator | null): void => {
    if (starts.at(-1) === start) operators[operators.length - 1] = operator;
    else if ((operators.at(-1) ?? null) !== operator) {
      starts.push(start);
      operators.push(operator);
    }
  };
  const closeUntil = (limit: number): void => {
    while (open.length > 0 && open.at(-1)!.end <= limit) {
      const { end } = open.pop()!;
      put(end, open.at(-1)?.operator ?? null);
    }
  };
  for (const row of rows) {
    closeUntil(row.start);
    put(row.start, row.operator);
    open.push(row);
  }
  closeUntil(Infinity);
  return { starts: Float64Array.from(starts), operators };
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
  for (let i = phone.charCodeAt(0) === 43 ? 1 : 0; i < phone.length && digits < 15; i++) {
    key = key * 10 + phone.charCodeAt(i) - 48;
    digits++;
  }
  return key * 10 ** (15 - digits);
}
