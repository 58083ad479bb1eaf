/** Types whose elements may need quotes; the driver sees to these. */
const QUOTED = new Set(['text', 'jsonb']);

/**
 * Rows as columns: what differs from row to row becomes an array in one `unnest`, what is the same in all a single value.
 * A bulk's owner, type and sender then cost nothing per row.
 *
 *     const c = columns(rows, { id: ['uuid', (r) => r.id], type: ['smallint', () => 1] });
 *     `insert into t select ${c.select('id, type')} from ${c.from}`
 */
export function columns<R>(
  rows: readonly R[],
  spec: Record<string, [type: string, value: (row: R) => unknown]>,
) {
  const parameters: unknown[] = [];
  const expressions: Record<string, string> = {};
  const arrays: string[] = [];
  const names: string[] = [];
  for (const [name, [type, value]] of Object.entries(spec)) {
    const values = rows.map(value);
    if (values.every((v) => v === values[0]) && names.length) {
      expressions[name] = `$${parameters.push(values[0])}::${type}`;
    } else {
      arrays.push(
        `$${parameters.push(QUOTED.has(type) ? values : arrayLiteral(values))}::${type}[]`,
      );
      names.push(name);
      expressions[name] = `u.${name}`;
    }
  }
  return {
    parameters,
    from: `unnest(${arrays.join(', ')}) as u(${names.join(', ')})`,
    select: (wanted: string[]) => wanted.map((name) => expressions[name]!).join(', '),
    expressions,
  };
}

/** An array of what needs no quotes: numbers, ids, times. A driver that quotes element by element takes several times as long. */
function arrayLiteral(values: readonly unknown[]): string {
  return `{${values.map((v) => (v === null || v === undefined ? 'NULL' : v instanceof Date ? v.toISOString() : v)).join(',')}}`;
}
