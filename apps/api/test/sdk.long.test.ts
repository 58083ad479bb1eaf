import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { World } from './world.ts';

const run = promisify(execFile);
const sdk = fileURLToPath(new URL('../../../packages/sdk', import.meta.url));
const from = createRequire(join(sdk, 'package.json'));
const pnpm = fileURLToPath(new URL('../../../node_modules/pnpm/bin/pnpm.cjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'heliograph-sdk-'));
const built = join(folder, 'sdk');
let world: World;
let tarball: string;

beforeAll(async () => {
  world = await World.start({ SENDERNAMES_CHECK: 'none' });
  const answer = await fetch(`${world.base}/api/openapi.json`);
  writeFileSync(join(folder, 'openapi.json'), await answer.text());
  await run(process.execPath, [join(sdk, 'build.ts'), join(folder, 'openapi.json'), built]);
  await run(process.execPath, [pnpm, 'pack', '--pack-destination', folder], { cwd: built });
  tarball = join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.tgz'))!,
  );
});
afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true });
});

test('publint finds nothing in the package', async () => {
  const { messages } = await publint({ pkgDir: built, strict: true });
  expect(messages).toEqual([]);
});

test('its types are right for every way to resolve a module', async () => {
  const { problems } = (await checkPackage(
    createPackageFromTarballData(readFileSync(tarball)),
  )) as { problems: object[] };
  expect(problems).toEqual([]);
});

test.each([
  ['an ES module', 'module'],
  ['CommonJS', 'commonjs'],
])(
  'from its tarball, as %s, a program compiles strictly and works',
  async (_, type) => {
    const place = join(folder, type);
    mkdirSync(place);
    const manifest = {
      name: 'program',
      type,
      dependencies: { '@heliograph/sdk': `file:${tarball}` },
    };
    writeFileSync(join(place, 'package.json'), JSON.stringify(manifest));
    await run(process.execPath, [pnpm, 'install', '--offline', '--ignore-workspace'], {
      cwd: place,
    });
    cpSync(join(sdk, 'test/program.ts'), join(place, 'program.ts'));
    const compilerOptions = {
      strict: true,
      noUncheckedIndexedAccess: true,
      module: 'nodenext',
      target: 'es2024',
      lib: ['es2024', 'dom', 'dom.iterable'],
      types: ['node'],
      typeRoots: [join(sdk, 'node_modules/@types')],
    };
    writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    const compiler = from.resolve('typescript/bin/tsc');
    const { stdout: errors } = await run(process.execPath, [compiler, '-p', place]).catch(
      (error: { stdout: string }) => error,
    );
    expect(errors).toBe('');
    const person = await world.person();
    const { stdout } = await run(
      process.execPath,
      ['program.js', world.base, person.token, 'whsec_AAAA'],
      { cwd: place },
    );
    expect(stdout).toBe('done\n');
    const sent = await world.db.query('select id from sendings where owner_id = $1', [
      person.OwnerId,
    ]);
    expect(sent).toHaveLength(1);
  },
  120_000,
);
