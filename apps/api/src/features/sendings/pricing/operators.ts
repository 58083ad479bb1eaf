import { parseOperators, type Operator, type OperatorTable } from '@heliograph/domain';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let table: OperatorTable | undefined;

/** `seeds/operators.csv` and `seeds/ru-mobile-ranges.csv`, read once. They stand beside the sources and beside the build alike. */
export function operators(): OperatorTable {
  table ??= parseOperators(read('operators.csv'), read('ru-mobile-ranges.csv'));
  return table;
}

/**
 * Who a code of tariffs stands for: `25001` is a network, `401*` all of a country. Of a network that is not in the table
 * its country is told, and null of what has not even that.
 */
export function operatorByCode(
  code: string,
): (Pick<Operator, 'country'> & { name: string | null }) | null {
  const among = operators().operators;
  const exact = among.find((o) => o?.mccmnc === code);
  if (exact) return { country: exact.country, name: exact.name };
  const found = among.find((o) => o?.mcc === code.slice(0, 3));
  return found ? { country: found.country, name: null } : null;
}

function read(name: string): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, 'seeds', name);
    if (existsSync(file)) return readFileSync(file, 'utf8');
    if (folder === dirname(folder)) throw new Error(`seeds/${name} is missing`);
  }
}
