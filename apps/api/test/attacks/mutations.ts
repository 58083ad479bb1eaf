/** Values that replace each leaf of a valid call. */
const LONG = 100_000;
const HOSTILE_TEXTS: [name: string, text: string][] = [
  ['many dots', `a@${'.'.repeat(LONG)}`],
  ['many spaces', ' '.repeat(LONG)],
  ['many pluses', '+'.repeat(LONG)],
  ['many digits', '7'.repeat(LONG)],
  ['many braces', '{'.repeat(LONG)],
  ['many quotes', `"'`.repeat(LONG / 2)],
  ['a NUL', 'a\u0000b'],
  ['a lone surrogate', 'a\ud800b'],
  ['SQL', `'; drop table users; --`],
  ['an expression of a template', '${7*7}{{7*7}}<%= 7*7 %>'],
  ['markup', '<img src=x onerror=alert(1)>'],
  ['a path', '../../../../etc/passwd'],
  ['marks of direction', '\u202e\u2066abc\u2069'],
  ['a day before the calendar', '0000-01-01'],
  ['a time before the calendar', '0000-01-01T00:00:00Z'],
  ['a time at an offset that does not exist', '2026-01-01T00:00:00+23:59'],
  ['the empty text', ''],
];
const HOSTILE_NUMBERS: [name: string, value: unknown][] = [
  ['a number beyond all', 1e308],
  ['a number below all', -1e308],
  ['a fraction without end', 0.1 + 0.2],
  ['a number as text', '1'],
  ['minus zero', -0],
  ['more than 2^53', 2 ** 53 + 2],
];
const HOSTILE_ANYTHING: [name: string, value: unknown][] = [
  ['null', null],
  ['true', true],
  ['an array', []],
  ['arrays in arrays', [[[[[[]]]]]]],
  ['an object', { $gt: '', length: -1 }],
  [
    'a key of the prototype',
    JSON.parse('{"__proto__": {"isAdmin": true}, "constructor": {"prototype": {}}}'),
  ],
];

export interface Mutation {
  name: string;
  value: unknown;
}

/** Each leaf of `value` replaced by each hostile value in turn, and undeclared keys. */
export function* mutations(value: unknown, path = ''): Generator<Mutation> {
  const at = path || 'everything';
  for (const [name, other] of hostile(value)) yield { name: `${at}: ${name}`, value: other };
  if (Array.isArray(value)) {
    yield {
      name: `${at}: 5,000 times`,
      value: Array.from({ length: 5000 }, () => value[0] ?? 'x'),
    };
    for (const [i, item] of value.entries())
      for (const inner of mutations(item, `${path}[${i}]`))
        yield { name: inner.name, value: value.with(i, inner.value) };
  } else if (typeof value === 'object' && value !== null) {
    yield { name: `${at}: a key too many`, value: { ...value, isAdmin: true } };
    yield {
      name: `${at}: 2,000 keys too many`,
      value: {
        ...value,
        ...Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`k${i}`, i])),
      },
    };
    for (const [key, item] of Object.entries(value))
      for (const inner of mutations(item, path ? `${path}.${key}` : key))
        yield { name: inner.name, value: { ...value, [key]: inner.value } };
  }
}

function hostile(value: unknown): [string, unknown][] {
  if (typeof value === 'string') return [...HOSTILE_TEXTS, ...HOSTILE_ANYTHING];
  if (typeof value === 'number') return [...HOSTILE_NUMBERS, ...HOSTILE_ANYTHING];
  return HOSTILE_ANYTHING;
}

/** The same for paths and queries, which contain only texts. */
export const hostileTexts: readonly (readonly [string, string])[] = HOSTILE_TEXTS.map(
  ([name, text]) => [name, text.slice(0, 4000)] as const,
);
