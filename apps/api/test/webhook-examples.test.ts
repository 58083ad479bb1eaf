import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { php } from '../../../scripts/lib/php.mjs';
import { freePort } from '../../../scripts/lib/ports.mjs';
import { runsHere } from './programs.ts';
import { until } from './until.ts';

const DOCS = join(import.meta.dirname, '../../../docs');
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const ANOTHER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heliograph-webhooks-'));
  symlinkSync(join(import.meta.dirname, '../node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Call {
  body: string;
  headers: Record<string, string>;
}

/** A call of a webhook as it is signed by one or two secrets. */
function callOf(secrets: string[], status = 'delivered'): Call {
  const id = '01930000-0000-7000-8000-000000000a00';
  const now = new Date();
  const data = { id: '01930000-0000-7000-8000-0000000000a1', status, text: 'Чай, 5 €' };
  const body = JSON.stringify({ type: 'sendings.status', timestamp: now.toISOString(), data });
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': secrets
        .map((secret) => new Webhook(secret).sign(id, now, body))
        .join(' '),
    },
  };
}

/** What an example is asked, and whether it must take the call for genuine. */
const CASES: [name: string, call: () => Call, isGenuine: boolean][] = [
  ['a genuine call', () => callOf([SECRET]), true],
  ['a call while the secret is replaced', () => callOf([ANOTHER, SECRET]), true],
  ['a call with the secret of another', () => callOf([ANOTHER]), false],
  [
    'a call that was changed',
    () => ({ ...callOf([SECRET]), body: callOf([SECRET], 'failed').body }),
    false,
  ],
];

const PHP = await php();
/** The examples that are servers. C# would need a project around it, 1C its platform. */
const SERVERS = [
  {
    file: 'webhook.js',
    as: 'webhook.mjs',
    program: process.execPath,
    probe: ['--version'],
    args: (name: string) => [name],
  },
  {
    file: 'webhook.py',
    as: 'webhook.py',
    program: 'python3',
    probe: ['-c', 'import standardwebhooks'],
    args: (name: string) => [name],
  },
  {
    file: 'webhook.php',
    as: 'webhook.php',
    program: PHP?.command ?? 'php',
    env: PHP?.env,
    probe: ['--version'],
    args: (name: string, port: number) => [...(PHP?.args ?? []), '-S', `127.0.0.1:${port}`, name],
  },
];

test.for(SERVERS)('$file accepts genuine calls only', async (one, { skip }) => {
  if (!runsHere(one.program, one.probe, one.env))
    return skip(`${one.program} cannot run it on this machine`);
  const port = await freePort();
  const source = readFileSync(join(DOCS, 'examples', one.file), 'utf8');
  writeFileSync(join(folder, one.as), source.replaceAll('8000', String(port)));
  const server = spawn(one.program, one.args(one.as, port), {
    cwd: folder,
    env: { ...process.env, ...one.env, WEBHOOK_SECRET: SECRET },
    stdio: 'ignore',
  });
  onTestFinished(() => ended(server));
  const post = async ({ body, headers }: Call) => {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
    return answer.status;
  };
  await until(() => post(callOf([SECRET])).catch(() => null), `${one.file} listens`);
  for (const [name, call, isGenuine] of CASES)
    expect([name, await post(call())]).toEqual([name, isGenuine ? 200 : 400]);
});

test('webhook.sh accepts genuine calls only', async ({ skip }) => {
  if (!runsHere('bash', ['-c', 'openssl version && base64 --version && od --version']))
    return skip('its programs are not on this machine');
  const env = { ...process.env, WEBHOOK_SECRET: SECRET };
  const verify = ({ body, headers }: Call) => {
    writeFileSync(join(folder, 'body.json'), body);
    const given = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
      (name) => headers[name]!,
    );
    const args = [join(DOCS, 'examples/webhook.sh'), ...given, join(folder, 'body.json')];
    return new Promise((done) =>
      execFile('bash', args, { env }, (error, stdout) => done([error?.code ?? 0, stdout])),
    );
  };
  for (const [name, call, isGenuine] of CASES)
    expect([name, await verify(call())]).toEqual([
      name,
      isGenuine ? [0, 'genuine\n'] : [1, 'forged\n'],
    ]);
});

test('every example is on the page in every language', () => {
  for (const locale of ['en', 'ru', 'es']) {
    const page = readFileSync(join(DOCS, locale, 'api/webhooks.md'), 'utf8');
    expect([...page.matchAll(/^@include examples\/(\S+)$/gm)].map(([, file]) => file)).toEqual(
      ['sh', 'py', 'js', 'php', 'cs', 'bsl'].map((end) => `webhook.${end}`),
    );
  }
});

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((done) => child.once('exit', done));
  child.kill();
  await exit;
}
