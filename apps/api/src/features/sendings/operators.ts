import { parseOperators, type Operator, type OperatorTable } from '@heliograph/domain';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let table: OperatorTable | undefined;

/** `seeds/operators.csv`, read once. It stands beside the sources and beside the build alike. */
export function operators(): OperatorTable {
  table ??= parseOperators(readFileSync(find(), 'utf8'));
  return table;
}

/** Who a code of tariffs stands for: `25001` is a network, `401*` all of a country; null when nobody is known by it. */
export function operatorByCode(
  code: string,
): (Pick<Operator, 'country'> & { name: string | null }) | null {
  const prefix = code.endsWith('*') ? code.slice(0, -1) : null;
  const isMeant = (o: Operator | null) =>
    o && (prefix ? o.mccmnc.startsWith(prefix) : o.mccmnc === code);
  const found = operators().operators.find(isMeant);
  return found ? { country: found.country, name: prefix ? null : found.name } : null;
}

function find(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, 'seeds', 'operators.csv');
    if (existsSync(file)) return file;
    if (folder === dirname(folder)) throw new Error('seeds/operators.csv is missing');
  }
}
