import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { build } from '../scripts/lib/build.mjs';
import { compiled } from './cluster.ts';
import { PLANTED } from './planted.ts';

test('each known fault has its place in the compiled program', async () => {
  await build(process.execPath, ['api']);
  const lost = PLANTED.filter(
    ({ file, find }) => !readFileSync(join(compiled, 'apps/api/src', file), 'utf8').includes(find),
  );
  expect(lost).toEqual([]);
}, 600_000);
