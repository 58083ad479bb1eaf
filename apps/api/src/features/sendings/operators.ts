import { parseOperators, type OperatorTable } from '@heliograph/domain';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let table: OperatorTable | undefined;

/** `seeds/operators.csv`, read once. It stands beside the sources and beside the build alike. */
export function operators(): OperatorTable {
  table ??= parseOperators(readFileSync(find(), 'utf8'));
  return table;
}

function find(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, 'seeds', 'operators.csv');
    if (existsSync(file)) return file;
    if (folder === dirname(folder)) throw new Error('seeds/operators.csv is missing');
  }
}
