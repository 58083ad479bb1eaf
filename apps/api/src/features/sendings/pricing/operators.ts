import { parseOperators, type Operator, type OperatorTable } from '@heliograph/domain';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let table: OperatorTable | undefined;

/** `seeds/operators.csv` and `seeds/ru-mobile-ranges.csv`, read once. The folder is found from the sources and from the build. */
export function operators(): OperatorTable {
  table ??= parseOperators(read('operators.csv'), read('ru-mobile-ranges.csv'));
  return table;
}

/**
 * The operator of a tariff's code: `25001` is a network, `401*` all networks of a country. An unknown network has no name; null when
 * its country is unknown, too.
 */
export function operatorByCode(
  code: string,
): (Pick<Operator, 'country'> & { name: string | null }) | null {
  const all = operators().operators;
  const exact = all.find((o) => o?.mccmnc === code);
  if (exact) return { country: exact.country, name: exact.name };
  const sameCountry = all.find((o) => o?.mcc === code.slice(0, 3));
  return sameCountry ? { country: sameCountry.country, name: null } : null;
}

/** Mobile country codes of a country; of '' that of unknown networks. */
export function countryCodes(country: string): string[] {
  if (!country) return [''];
  return [...new Set(operators().operators.flatMap((o) => (o?.country === country ? o.mcc : [])))];
}

function read(name: string): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, 'seeds', name);
    if (existsSync(file)) return readFileSync(file, 'utf8');
    if (folder === dirname(folder)) throw new Error(`seeds/${name} is missing`);
  }
}
