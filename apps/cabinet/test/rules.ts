import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import errors from '../src/locales/en/errors.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '../../..');
const CODE = ['packages/{contract,domain}/src/**/*.ts', 'apps/{api,cabinet}/src/**/*.{ts,tsx}'];
/** `issue(field, 'rule', ...)`, `invalid(field, 'rule', ...)` and `params: { rule: 'rule' }`. */
const REFUSAL = /(?:\b(?:issue|invalid)\([^,()]+,\s*|\brule: )'([a-z_]+)'/g;
/** Codes of zod that the schemas of the contract give. */
const ZOD_CODES = ['invalid_type', 'invalid_format', 'invalid_value', 'too_small', 'too_big'];
/** Rules of calls that no page makes, and of contact fields, whose texts are in `contactLists`. */
const WITHOUT_TEXT = ['grouped', 'unknown_field', 'filter', 'date'];

const refusals = new Set<string>();
const words = new Set(ZOD_CODES);
for (const file of globSync(CODE, { cwd: ROOT })) {
  if (file.includes('.test.')) continue;
  const code = readFileSync(join(ROOT, file), 'utf8');
  for (const [, word] of code.matchAll(/'([a-z_]+)'/g)) words.add(word!);
  for (const [, rule] of code.matchAll(REFUSAL)) refusals.add(rule!);
}

/** The rules by which contract and server refuse a field, and those with a text whose name is a word of the code. */
export const RULES = [
  ...new Set([
    ...[...refusals].filter((rule) => !WITHOUT_TEXT.includes(rule)),
    ...Object.keys(errors.rule).filter((rule) => words.has(rule)),
  ]),
];
