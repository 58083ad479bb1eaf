import { getMetadataStorage } from 'class-validator';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Config } from '../src/core/config.ts';

test('docs/operations.md lists exactly the settings of the configuration', () => {
  const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const section = page.split('## Settings')[1]!.split('\n## ')[0]!;
  const documented = [...section.matchAll(/^\| `([A-Z\d_]+)`(?:, `([A-Z\d_]+)`)? /gm)].flatMap(
    ([, ...names]) => names.filter((name) => name !== undefined),
  );
  const known = getMetadataStorage()
    .getTargetValidationMetadatas(Config, '', false, false)
    .map((m) => m.propertyName);
  expect(documented.toSorted()).toEqual([...new Set(known)].toSorted());
});
