import { sendingsIncoming, tokens, webhooks } from '@heliograph/contract';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { php } from '../../../scripts/lib/php.mjs';
import { freePort } from '../../../scripts/lib/ports.mjs';
import { approve } from './factories.ts';
import { otpWidget } from './otp.ts';
import { runsHere } from './programs.ts';
import { type Person, until, World } from './world.ts';

/** The page of the quick start, done as its reader does it: each way in an empty folder, by what the page says and nothing else. */
const ROOT = join(import.meta.dirname, '../../..');
const run = promisify(execFile);
const page = (locale: string) =>
  readFileSync(join(ROOT, 'docs', locale, 'api/quick-start.md'), 'utf8');
const WAYS = ['TypeScript', 'PHP', 'Python', 'SMPP'] as const;
const PHP = await php();

/** A file to save, a command, values for the environment, or what a program prints. */
type Step = { file: string; example: string } | { kind: 'bash' | 'sh' | 'text'; text: string };
const STEP =
  /`([\w.]+)`[^`\n]*\n\n@include examples\/([\w.-]+)$|^```(bash|sh|text)\n([\s\S]*?)^```$/gm;
const stepsOf = (text: string): Step[] =>
  [...text.matchAll(STEP)].map(([, file, example, kind, block]) =>
    file ? { file, example: example! } : { kind: kind as 'bash', text: block! },
  );
/** The parts of the page by number: what comes first, one for each way, then the webhooks of a computer. */
const partsOf = (locale: string) => page(locale).split(/^## /m).slice(1).map(stepsOf);
const [, ...WAY_PARTS] = partsOf('en');
const FORWARDING = WAY_PARTS[WAYS.length]!;

let world: World;
let packages: string;
let smppPort: number;
let folder = '';
const programs: ChildProcess[] = [];

beforeAll(async () => {
  world = await World.start();
  await world.startWorker();
  smppPort = (await world.startSmpp()).port;
  packages = mkdtempSync(join(tmpdir(), 'heliograph-packages-'));
  await run(process.execPath, [join(ROOT, 'scripts/lib/sdk-run.mjs'), packages]);
});
afterAll(async () => {
  await world.stop();
  rmSync(packages, { recursive: true });
});
afterEach(async () => {
  for (const program of programs.splice(0)) {
    if (program.exitCode !== null || program.signalCode !== null) continue;
    const end = once(program, 'exit');
    process.kill(-program.pid!);
    await end;
  }
  if (folder) rmSync(folder, { recursive: true, force: true });
});

interface Walk {
  person: Person;
  env: NodeJS.ProcessEnv;
  port: number;
}

/** The three things of the first part, and a computer with the programs that the page asks for. */
async function begin(): Promise<Walk> {
  folder = mkdtempSync(join(tmpdir(), 'heliograph-quick-'));
  for (const name of readdirSync(packages)) copyFileSync(join(packages, name), join(folder, name));
  const person = await world.person({ balance: 0 });
  await approve(world, person.id, 'DEMO');
  const { token } = await person.api(tokens.create, {
    body: { description: 'Quick start', isTest: true },
  });
  const port = await freePort();
  const { secret } = await person.api(webhooks.create, {
    body: { title: 'Quick start', event: 'sendings.status', url: `http://127.0.0.1:${port}/` },
  });
  const bin = join(folder, '.bin');
  mkdirSync(bin);
  symlinkSync(process.execPath, join(bin, 'node'));
  const words = [PHP?.command, ...(PHP?.args ?? [])].map((word) => `'${word}'`).join(' ');
  const libraries = Object.entries(PHP?.env ?? {}).map(([name, value]) => `${name}='${value}'`);
  writeFileSync(join(bin, 'php'), `#!/bin/sh\n${libraries.join(' ')} exec ${words} "$@"\n`);
  chmodSync(join(bin, 'php'), 0o755);
  return {
    person,
    port,
    env: {
      PATH: [join(folder, 'env/bin'), bin, process.env.PATH].join(':'),
      HOME: folder,
      SMPP: realpathSync(dirname(createRequire(import.meta.url).resolve('smpp/package.json'))),
      npm_config_audit: 'false',
      npm_config_update_notifier: 'false',
      npm_config_offline: 'true',
      PIP_NO_INDEX: '1',
      PIP_DISABLE_PIP_VERSION_CHECK: '1',
      HELIOGRAPH_URL: world.base,
      HELIOGRAPH_TOKEN: token,
      HELIOGRAPH_WEBHOOK_SECRET: secret,
      HELIOGRAPH_WIDGET: await otpWidget(person, ['sms'], { captchaIsRequired: true }),
      HELIOGRAPH_SMPP: `smpp://127.0.0.1:${smppPort}`,
    },
  };
}

/** Programs that run until they are ended. */
const isServer = (command: string) => /webhook|listen|smpp\.mjs/.test(command);
/** What differs from one run to the next. */
const plain = (text: string) =>
  text
    .replaceAll('{{site}}', world.config.publicUrl)
    .replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'ID')
    .replaceAll(/date:\d+/g, 'date:TIME')
    // The server of PHP says when.
    .replaceAll(/^\[.*?\] /gm, '')
    .trim()
    .split('\n');

function start(command: string, { env, port }: Walk) {
  const script = command
    .replaceAll('8000', String(port))
    // The test has no registry.
    .replace(/^npm install smpp$/m, 'mkdir node_modules && ln -s "$SMPP" node_modules/smpp');
  const program = spawn('sh', ['-euc', script], { cwd: folder, env, detached: true });
  programs.push(program);
  const shown = { text: '' };
  for (const stream of [program.stdout, program.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (shown.text += part));
  // What the page says to type; other programs read nothing.
  program.stdin.on('error', () => undefined).end('1234\n0000\n');
  return { program, shown };
}

/** Runs a command of the page to its end. `lines` is what it has to print, if the page says that. */
async function done(command: string, walk: Walk, lines: string[] | null = null): Promise<void> {
  const { program, shown } = start(command, walk);
  await once(program, 'close');
  const ended = { command, code: program.exitCode, shown: shown.text };
  expect({ ...ended, lines: lines && plain(shown.text) }).toMatchObject({ code: 0, lines });
}

const isOpen = (port: number) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket.end())).on('error', () =>
      resolve(null),
    );
  });

/** Does all steps of a part. Returns what its servers have shown. */
async function follow(steps: Step[], walk: Walk): Promise<{ text: string }[]> {
  const servers: { text: string }[] = [];
  let send: string | undefined;
  for (const [i, step] of steps.entries()) {
    if ('file' in step) {
      const source = readFileSync(join(ROOT, 'docs/examples', step.example), 'utf8');
      writeFileSync(join(folder, step.file), source.replaceAll('8000', String(walk.port)));
      continue;
    }
    if (step.kind !== 'bash') continue;
    const next = steps.slice(i + 1).find((one) => 'kind' in one && one.kind !== 'sh');
    const printed = next && 'kind' in next && next.kind === 'text' ? plain(next.text) : null;
    const expected = printed?.map((line) => line.replaceAll('8000', String(walk.port))) ?? null;
    if (!isServer(step.text)) {
      await done(step.text, walk, expected);
      if (step.text.includes('send.')) send = step.text;
      continue;
    }
    const { shown } = start(step.text, walk);
    servers.push(shown);
    if (step.text.includes('webhook.')) await until(() => isOpen(walk.port), 'the server');
    if (send && !step.text.includes('listen')) await done(send, walk);
    await until(
      async () => expected!.every((line) => plain(shown.text).includes(line)),
      `${String(expected)} in ${shown.text}`,
    );
  }
  return servers;
}

test('the page has the same steps in every language', () => {
  const [first, ...others] = ['en', 'ru', 'es'].map(partsOf);
  expect(first!.flat().length).toBeGreaterThan(35);
  for (const steps of others) expect(steps).toEqual(first);
});

test('what is exported is what the programs read', () => {
  const names = (text: string, pattern: RegExp) =>
    [...new Set([...text.matchAll(pattern)].map(([name]) => name))].toSorted();
  const sources = readdirSync(join(ROOT, 'docs/examples'))
    .filter((file) => file.startsWith('quick-'))
    .map((file) => readFileSync(join(ROOT, 'docs/examples', file), 'utf8'));
  const read = names(sources.join('\n'), /HELIOGRAPH_[A-Z_]+/g);
  expect(names(page('en'), /(?<=^export )\w+/gm)).toEqual(read);
});

test('TypeScript, and calls of a webhook that are fetched', async () => {
  const walk = await begin();
  expect(await follow(WAY_PARTS[0]!, walk)).toHaveLength(1);
  const [command, answer] = FORWARDING.map((step) => ('text' in step ? step.text : ''));
  const { shown } = start(command!, walk);
  await until(async () => {
    await done('node send.ts', walk);
    return plain(shown.text).includes(plain(answer!)[0]!);
  }, 'a call that was fetched');
});

test('PHP', async ({ skip }) => {
  if (!PHP) return skip('PHP cannot be had on this machine');
  if (!runsHere('unzip', ['-v'])) return skip('unzip is not on this machine');
  expect(await follow(WAY_PARTS[1]!, await begin())).toHaveLength(1);
});

test('Python', async ({ skip }) => {
  if (!runsHere('python3', ['-c', 'import ensurepip, venv']))
    return skip('Python with its environments is not on this machine');
  expect(await follow(WAY_PARTS[2]!, await begin())).toHaveLength(1);
});

test('SMPP', async () => {
  const walk = await begin();
  const [shown] = await follow(WAY_PARTS[3]!, walk);
  await walk.person.api(sendingsIncoming.create, {
    body: { type: 'sms', from: '+79161234567', to: 'DEMO', payload: { text: 'Yes' } },
  });
  const lines = await until(async () => {
    const all = plain(shown!.text);
    return all.length > 3 && all;
  }, 'the answer');
  expect(lines.at(-1)).toBe('from 79161234567: Yes');
});

test('a call with another secret is refused', async () => {
  const walk = await begin();
  const steps = WAY_PARTS[0]!;
  const other = `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`;
  await follow(
    steps.filter((step) => 'file' in step || (step.kind === 'bash' && /npm|send/.test(step.text))),
    walk,
  );
  const env = { ...walk.env, HELIOGRAPH_WEBHOOK_SECRET: other };
  const { shown } = start('node webhook.ts', { ...walk, env });
  await until(() => isOpen(walk.port), 'the server');
  await done('node send.ts', walk);
  const lines = await until(async () => {
    const all = plain(shown.text);
    return all.length > 1 && all;
  }, 'a call');
  expect(new Set(lines.slice(1))).toEqual(new Set(['refused The signature is wrong.']));
});
