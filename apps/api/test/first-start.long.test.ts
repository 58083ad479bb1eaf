import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Processes } from './flows/processes.ts';
import { walkFirstStart } from './first-start.ts';
import { build } from '../../../scripts/lib/build.mjs';
import { loadDemo } from '../src/demo.ts';
import { World } from './world.ts';

let world: World;
const root = fileURLToPath(new URL('../../..', import.meta.url));

beforeAll(async () => {
  await build(process.execPath, ['api']);
  world = await World.start();
});
afterAll(() => world.stop());

/** A program of the built product, to its end. */
function run(
  args: string[],
  env: Record<string, string>,
  input = '',
  { DATABASE_URL, REDIS_URL, FILES_DIR } = world.config,
): Promise<{ code: number | null; out: string; errors: string }> {
  const [file, ...rest] = args;
  const child = spawn(
    process.execPath,
    [join(root, `apps/api/dist/apps/api/src/${file}.js`), ...rest],
    { env: { DATABASE_URL, REDIS_URL, FILES_DIR, ...env }, cwd: root },
  );
  child.stdin.end(input);
  return new Promise((resolve) => {
    const seen = { out: '', errors: '' };
    child.stdout.on('data', (chunk: Buffer) => (seen.out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (seen.errors += chunk.toString()));
    child.once('close', (code) => resolve({ code, ...seen }));
  });
}

test(
  'the programs keep to it: an exposed API does not start, a command makes an administrator',
  { timeout: 600_000 },
  async () => {
    await loadDemo(world.db, { HOST: '127.0.0.1' });
    const [api, made, again] = await Promise.all([
      run(['main'], { HOST: '0.0.0.0', PORT: '0', NODE_ENV: 'development', DEMO: '0' }),
      run(['cli', 'create-admin', 'captain', '--password-stdin'], {}, 'aye-aye\n'),
      run(['cli', 'create-admin', 'customer'], {}),
    ]);
    expect([api.code, api.out]).toEqual([78, '']);
    expect(api.errors).toContain('reachable at 0.0.0.0');
    expect(made).toEqual({ code: 0, out: 'Created the administrator captain\n', errors: '' });
    await world.login('captain', 'aye-aye');
    const errors = 'The name customer is taken. Nothing was changed.\n';
    expect(again).toEqual({ code: 1, out: '', errors });
  },
);

test(
  'the programs alone lead from nothing to a delivered message',
  { timeout: 600_000 },
  async () => {
    const processes = await Processes.start({ DEMO: '0', SENDERNAMES_CHECK: 'all' });
    const { config } = processes.world;
    const cli = async (args: string[], input = '') => {
      const done = await run(['cli', ...args], { DEMO: '0' }, input, config);
      expect([args, done.code, done.errors]).toEqual([args, 0, '']);
      return done.out;
    };
    try {
      await processes.world.db.query(`delete from channels`);
      await cli(['prepare']);
      const { base } = await processes.api();
      const heartbeat = join(processes.folder, 'heartbeat');
      await processes.worker('worker', { HEARTBEAT_FILE: heartbeat });
      const shown = await cli(['create-admin', 'captain']);
      const password = /captain {2}(\S+)/.exec(shown)![1]!;
      const login = async (username: string, given: string) => {
        const answer = await fetch(`${base}/api/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ username, password: given }),
        });
        return ((await answer.json()) as { token: string }).token;
      };
      const setPhone = (username: string, phone: string) => cli(['set-phone', username, phone]);
      const texts = await walkFirstStart(
        { base, login, setPhone },
        { username: 'captain', password },
      );
      expect(texts).toEqual(['Is it on?', 'Your order is ready']);
      expect(existsSync(heartbeat)).toBe(true);
      for (const probe of ['live', 'ready'])
        expect((await fetch(`${base}/api/health/${probe}`)).status).toBe(200);
      expect(await cli(['verify'])).toBe('No problems found\n');
    } finally {
      await processes.stop();
    }
  },
);
