import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, World } from './world.ts';

const run = promisify(execFile);
const programs = fileURLToPath(new URL('clients', import.meta.url));
const compiler = fileURLToPath(
  new URL('../../../node_modules/typescript/bin/tsc', import.meta.url),
);
const folder = mkdtempSync(join(tmpdir(), 'heliograph-clients-'));
let world: World;

beforeAll(async () => {
  world = await World.start({ SENDERNAMES_CHECK: 'none' });
  const answer = await fetch(`${world.base}/api/openapi.json`);
  writeFileSync(join(folder, 'openapi.json'), await answer.text());
  cpSync(programs, folder, { recursive: true, filter: (path) => !path.endsWith('node_modules') });
  symlinkSync(join(programs, 'node_modules'), join(folder, 'node_modules'));
  // In the generators' package, so that their output compiles unchanged.
  await run(process.execPath, ['generate.ts', join(folder, 'openapi.json'), folder], {
    cwd: programs,
  });
});
afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true });
});

test('clients that are generated from the document compile strictly', async () => {
  const options = '--strict --module nodenext --target es2024 --lib es2024,dom,dom.iterable';
  const args = [...options.split(' '), '--skipLibCheck', '--types', 'node'];
  const { stdout } = await run(
    process.execPath,
    [compiler, ...args, 'openapi-fetch.ts', 'hey-api.ts'],
    { cwd: folder },
  ).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
}, 60_000);

test.each(['openapi-fetch', 'hey-api'])(
  '%s signs in, sends once under a key, lists a range, reads, uploads and gets typed errors',
  async (program) => {
    const { username } = await world.person();
    const since = new Date(Date.now() - 60_000).toISOString();
    const args = [join(folder, `${program}.js`), world.base, username, PASSWORD, since];
    const { stderr } = await run(process.execPath, args);
    expect(stderr).toBe('');
  },
  60_000,
);
