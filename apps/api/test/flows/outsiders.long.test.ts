import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setCarrier } from '../factories.ts';
import { WebhookReceiver } from '../webhook-receiver.ts';
import { PASSWORD, type Person, World } from '../world.ts';

/** Programs of others, written from the guide: they send, poll, get a call of a webhook and verify its signature. */
const PROGRAMS = join(import.meta.dirname, '../outsiders');
const exec = promisify(execFile);

let world: World;
let person: Person;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heliograph-outsiders-'));
  world = await World.start({ SENDERNAMES_CHECK: 'none' });
  await setCarrier(world, {});
  await world.startWorker();
  person = await world.person();
});
afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true });
});

test('a program with fetch alone', async () => {
  const { stdout } = await exec(process.execPath, [join(PROGRAMS, 'naive.mjs')], {
    env: { API: `${world.base}/api`, LOGIN: person.username, PASSWORD },
  });
  const { id, status, polled, events } = JSON.parse(stdout) as Record<string, unknown>;
  expect(status).toBe('pending');
  expect((polled as string[]).at(-1)).toBe('delivered');
  expect(events).toEqual([
    expect.objectContaining({
      type: 'sendings.status',
      isGenuine: true,
      isForged: false,
      data: expect.objectContaining({ id, status: 'delivered' }) as object,
    }),
  ]);
});

const hasTools = (() => {
  try {
    execFileSync('sh', ['-c', 'curl --version && openssl version']);
    return true;
  } catch {
    return false;
  }
})();

test.skipIf(!hasTools)(
  'a script with curl, grep and openssl',
  async () => {
    const receiver = await new WebhookReceiver().start();
    let last: { headers: object; body: string } | undefined;
    receiver.answer = ({ method, url, headers, body }, response) => {
      if (method === 'POST') last = { headers, body };
      if (method === 'POST') return response.end();
      if (!last) return response.writeHead(404).end();
      const lines = Object.entries(last.headers).map(([name, value]) => `${name}: ${value}`);
      response.end(url === '/last' ? last.body : `${lines.join('\n')}\n`);
    };
    try {
      const { stdout } = await exec('sh', [join(PROGRAMS, 'plain.sh')], {
        cwd: folder,
        env: {
          PATH: process.env.PATH,
          API: `${world.base}/api`,
          TOKEN: person.token,
          RECEIVER: receiver.base,
        },
      });
      expect(stdout).toMatch(/^genuine [\da-f-]{36}\n$/);
    } finally {
      receiver.stop();
    }
  },
  180_000,
);
