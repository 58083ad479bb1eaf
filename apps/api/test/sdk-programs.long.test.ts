import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { php } from '../../../scripts/lib/php.mjs';
import { setCarrier } from './factories.ts';
import { runsHere } from './programs.ts';
import { World } from './world.ts';

const run = promisify(execFile);
const sdk = join(import.meta.dirname, '../../../packages/sdk');
const SECRET = `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`;
const PHP = await php();
const { unzipSync } = createRequire(join(sdk, 'package.json'))('fflate') as {
  unzipSync: (archive: Buffer) => Record<string, Uint8Array>;
};

let world: World;
let folder: string;
let losing: Server;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heliograph-sdk-'));
  world = await World.start({ SENDERNAMES_CHECK: 'none' });
  await world.startWorker();
  await setCarrier(world, {});
  const answer = await fetch(`${world.base}/api/openapi.json`);
  writeFileSync(join(folder, 'openapi.json'), await answer.text());
});
afterAll(async () => {
  losing?.close();
  await world.stop();
  rmSync(folder, { recursive: true });
});

/** Passes calls on, and loses each first answer under a key. */
async function losingAnswers(): Promise<string> {
  const seen = new Set<unknown>();
  losing = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', async () => {
      const { authorization, 'content-type': type, 'idempotency-key': key } = request.headers;
      const passed = await fetch(world.base + request.url!, {
        method: request.method!,
        headers: { authorization, 'content-type': type, 'idempotency-key': key } as never,
        body: Buffer.concat(parts),
      });
      const body = await passed.text();
      if (!seen.has(key)) {
        seen.add(key);
        return request.socket.destroy();
      }
      response.writeHead(passed.status, { 'content-type': 'application/json' }).end(body);
    });
  }).listen(0, '127.0.0.1');
  await once(losing, 'listening');
  return `http://127.0.0.1:${(losing.address() as AddressInfo).port}`;
}

const build = async (script: string): Promise<string> => {
  const words = [join(sdk, script), join(folder, 'openapi.json'), folder];
  const { stdout } = await run(process.execPath, words);
  return join(folder, stdout.trim());
};

/** Runs the program against the installation, and tells how it ended, whether it signs as the standard's library, and what it sent. */
async function ran(command: string, args: string[], env: Record<string, string>) {
  const person = await world.person();
  const given = [world.base, await losingAnswers(), person.token, SECRET];
  const { stdout, stderr } = await run(command, [...args, ...given], { cwd: folder, env });
  losing.close();
  const [word, timestamp, signature] = stdout.trim().split(' ');
  const at = new Date(Number(timestamp) * 1000);
  const sent = await world.db.query('select id from sendings where owner_id = $1', [
    person.OwnerId,
  ]);
  const signs = signature === new Webhook(SECRET).sign('msg_1', at, '{"text":"Чай"}');
  return { word, stderr, signs, sent: sent.length };
}
const WORKED = { word: 'done', stderr: '', signs: true, sent: 1 };

test('a program of Python works by the packed package alone', async ({ skip }) => {
  const env = { PATH: process.env.PATH! };
  if (!runsHere('python3', ['--version'])) return skip('Python is not on this machine');
  const wheel = await build('python.ts');
  const names = Object.keys(unzipSync(readFileSync(wheel)));
  expect(names).toContain('heliograph/py.typed');
  cpSync(join(sdk, 'test/program.py'), join(folder, 'program.py'));
  const program = ['-W', 'error', 'program.py'];
  expect(await ran('python3', program, { ...env, PYTHONPATH: wheel })).toEqual(WORKED);
  const version = 'import importlib.metadata as m; print(m.version("heliograph"))';
  const { stdout } = await run('python3', ['-c', version], { env: { ...env, PYTHONPATH: wheel } });
  expect(wheel).toContain(`heliograph-${stdout.trim()}-py3-none-any.whl`);
});

test('a call of Python that is repeated through a proxy stays encrypted', async ({ skip }) => {
  if (!runsHere('python3', ['--version'])) return skip('Python is not on this machine');
  const firstBytes: number[] = [];
  const proxy = createServer();
  proxy.on('connect', (_, socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    socket.on('error', () => undefined);
    socket.once('data', (data: Buffer) => {
      firstBytes.push(data[0]!);
      socket.destroy();
    });
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const call = `from heliograph import Heliograph, NoAnswer
try: Heliograph("https://messages.example", "secret", attempts=3).contact_lists.find()
except NoAnswer: print("no answer")`;
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const { stdout } = await run('python3', ['-c', call], {
    env: {
      PATH: process.env.PATH!,
      PYTHONPATH: await build('python.ts'),
      HTTP_PROXY: address,
      HTTPS_PROXY: address,
    },
  });
  proxy.close();
  expect(stdout).toBe('no answer\n');
  const handshake = 0x16;
  expect(firstBytes).toEqual([handshake, handshake, handshake]);
});

test('a program of PHP works by the packed package alone', async ({ skip }) => {
  if (!PHP) return skip('PHP cannot be had on this machine');
  const { command, args, env } = PHP;
  const archive = await build('php.ts');
  for (const [name, content] of Object.entries(unzipSync(readFileSync(archive)))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const each = `require 'autoload.php'; foreach (glob('src/{,Calls/}*.php', GLOB_BRACE) as $file) require_once $file;`;
  await run(command, [...args, '-r', each], { cwd: folder, env: { ...process.env, ...env } });
  cpSync(join(sdk, 'test/program.php'), join(folder, 'program.php'));
  const strict = ['-d', 'error_reporting=-1', '-d', 'display_errors=stderr'];
  const own = { PATH: process.env.PATH!, ...env };
  expect(await ran(command, [...args, ...strict, 'program.php'], own)).toEqual(WORKED);
});
