import { hooks, integrations, sendings } from '@heliograph/contract';
import { execFile, execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contentOf } from '../src/channels/web-push/content.ts';
import { otpCode, otpWidget } from './otp.ts';
import { World, type Person } from './world.ts';

/** The blocks of all pages but the guide of the API and the quick start, which have tests of their own. */
const DOCS = join(import.meta.dirname, '../../../docs');
const LOCALES = ['en', 'ru', 'es'];
const OTHERS = ['api/HTTP-REST.md', 'api/quick-start.md'];

const pages = globSync('**/*.md', { cwd: join(DOCS, 'en') }).toSorted();
const textOf = (locale: string, page: string) => readFileSync(join(DOCS, locale, page), 'utf8');

interface Block {
  language: string;
  text: string;
}
const blocksOf = (text: string): Block[] =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language, block]) => ({
    language: language!,
    text: block!,
  }));
/** Those that commands expect from outside. */
const variablesOf = (blocks: Block[]): string[] =>
  blocks
    .filter(({ language }) => language === 'bash')
    .flatMap(({ text }) => {
      const own = new Set([...text.matchAll(/^(\w+)=/gm)].map(([, name]) => name));
      const used = [...text.matchAll(/\$\{?([A-Z][A-Z_]*)/g)].map(([, name]) => name!);
      return used.filter((name) => !own.has(name));
    });
const WITH_BLOCKS = pages.filter(
  (page) => !OTHERS.includes(page) && blocksOf(textOf('en', page)).length,
);

const hasCurl = (() => {
  try {
    execFileSync('curl', ['--version']);
    execFileSync('openssl', ['version']);
    return true;
  } catch {
    return false;
  }
})();

/** The program that the pages of customers load. */
const WIDGET = readdirSync(join(import.meta.dirname, '../../widget/src'))
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
  .map((file) => readFileSync(join(import.meta.dirname, '../../widget/src', file), 'utf8'))
  .join('\n');

let world: World;
beforeAll(async () => {
  world = await World.start({ SENDERNAMES_CHECK: 'none' });
});
afterAll(() => world.stop());

async function run(command: string, env: Record<string, string>): Promise<Record<string, unknown>> {
  const script = command
    .replaceAll('{{api}}', `${world.base}/api`)
    .replaceAll(/https:\/\/(?:shop|hooks)\.example/g, 'http://127.0.0.1:9')
    .replaceAll(/^curl /gm, 'curl -sS ');
  const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', script], {
    env: { PATH: process.env.PATH, ...env },
  });
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** The fields of the integration are those that the steps of the page name. */
async function inboundUrl(person: Person, text: string): Promise<string> {
  const step = (number: number) => /`([^`]+)`/.exec(text.split(`\n${number}. **`)[1]!)![1]!;
  const { url } = await person.api(integrations.create, {
    body: {
      kind: 'crm',
      title: 'Shop',
      type: 'sms',
      sender: 'MIRTEA',
      recipient: step(3),
      text: `Order ${step(4)}`,
      key: step(5),
    },
  });
  return url.replace(/^https?:\/\/[^/]+/, world.base);
}

async function confirmed(widgetId: string): Promise<string> {
  const post = (path: string, body: object) =>
    run(`curl '{{api}}/n/otp-handler${path}' -H 'Content-Type: application/json' -d "$BODY"`, {
      BODY: JSON.stringify(body),
    });
  const { requestId } = await post('', { widgetId, recipient: '+79990000000' });
  const id = String(requestId);
  await post(`/${id}/checkCode`, { code: await otpCode(world, id) });
  return id;
}

const joined = (calls: string[], part: string): string[] =>
  calls.length === 1 && !calls[0]!.startsWith('curl ') ? [calls[0]! + part] : [...calls, part];

/** A channel whose carrier delivers messages to the sender name of this person. */
async function carrierOf(person: Person): Promise<Record<string, string>> {
  const CHANNEL = `carrier-${randomUUID().slice(0, 8)}`;
  const SECRET = `whsec_${randomBytes(24).toString('base64')}`;
  await world.db.query(
    `insert into channels (name, driver, types, priority, options) values ($1, 'http', '{sms}', 0, $2)`,
    [CHANNEL, { url: 'http://127.0.0.1:9/', secret: SECRET }],
  );
  world.forgetChannels();
  const payload = { sender: 'MIRTEA', text: 'At what time?' };
  await person.api(sendings.create, {
    body: { type: 'sms', recipient: '+79990000000', payload } as never,
  });
  await world.db.query(`update batches set submitted_at = now() where owner_id = $1`, [person.id]);
  return { CHANNEL, SECRET };
}

/** Runs the calls of a block one after another; later ones use what the answers gave. Returns those that were refused. */
async function refusedCalls(block: string, person: Person, text: string): Promise<string[]> {
  const env: Record<string, string> = { TOKEN: person.token, RECIPIENT: '%2B79990000000' };
  if (block.includes('$URL')) env.URL = await inboundUrl(person, text);
  if (block.includes('$REQUEST')) env.WIDGET = await otpWidget(person, ['sms']);
  if (block.includes('$REQUEST_ID')) env.REQUEST_ID = await confirmed(env.WIDGET!);
  if (block.includes('$CHANNEL')) Object.assign(env, await carrierOf(person));
  const refused: string[] = [];
  // A call may be prepared by commands above it.
  for (const call of block.split(/^(?=curl )/m).reduce(joined, [])) {
    if (call.includes('$CODE')) env.CODE = (await otpCode(world, env.REQUEST!))!;
    const answer = await run(call, env);
    const { id, requestId, type, success, error } = answer;
    if (error || !(id ?? requestId ?? type ?? success))
      refused.push(`${call}${JSON.stringify(answer)}`);
    if (requestId) env.REQUEST = String(requestId);
  }
  return refused;
}

/** A mail server runs the script with a mail that came back. Returns what the script complains about. */
async function scriptFaults(script: string): Promise<string[]> {
  const name = `mail-${randomUUID().slice(0, 8)}`;
  const secret = randomUUID();
  const options = {
    url: 'smtp://127.0.0.1:9',
    domain: 'mail.example',
    bounceDomain: 'back.example',
  };
  await world.db.query(
    `insert into channels (name, driver, types, priority, options) values ($1, 'smtp', '{email}', 0, $2)`,
    [name, { ...options, bounceSecret: secret }],
  );
  world.forgetChannels();
  const values = [secret, name];
  const text = script
    .replace('https://app.example', world.base)
    .replaceAll(/<[^<>]+>/g, () => values.shift()!);
  const running = promisify(execFile)('sh', ['-c', text], { env: { PATH: process.env.PATH } });
  running.child.stdin!.end('To: bounce-1@back.example\r\n\r\nI am away.\r\n');
  return running.then(
    ({ stderr }) => (stderr ? [stderr] : []),
    (error: Error) => [error.message],
  );
}

/** A service worker gets a message, and its notification is clicked. Returns what it shows or opens wrongly. */
async function workerFaults(script: string): Promise<string[]> {
  const done: [string, unknown][] = [];
  const listeners: Record<string, (event: object) => void> = {};
  const waiting: unknown[] = [];
  const dispatch = (type: string, event: object) =>
    listeners[type]!({ ...event, waitUntil: (work: unknown) => waiting.push(work) });
  runInNewContext(script, {
    self: {
      addEventListener: (type: string, listener: () => void) => (listeners[type] = listener),
      registration: {
        showNotification: (title: string, options: object) =>
          done.push(['shown', { title, ...options }]),
      },
    },
    clients: { openWindow: (url: string) => done.push(['opened', url]) },
  });
  const content = contentOf({
    reference: 'a',
    type: 'push',
    sender: 'MIRTEA',
    recipient: '+79990000000',
    payload: { text: 'Ready: https://tea.example/o/1' },
    segments: 1,
    tries: 0,
  });
  dispatch('push', { data: { json: () => JSON.parse(content.toString()) as unknown } });
  const [, shown] = done[0]!;
  dispatch('notificationclick', { notification: { ...(shown as object), close: () => undefined } });
  await Promise.all(waiting);
  const link = 'https://tea.example/o/1';
  const expected = [
    ['shown', { title: 'MIRTEA', body: `Ready: ${link}`, data: { link } }],
    ['opened', link],
  ];
  return JSON.stringify(done) === JSON.stringify(expected) ? [] : [JSON.stringify(done)];
}

/** The paths of all fields, through the first row of a list. */
const fieldsIn = (value: unknown, path = ''): string[] =>
  value && typeof value === 'object'
    ? Object.entries(Array.isArray(value) ? { 0: value[0] } : value).flatMap(([key, inner]) =>
        fieldsIn(inner, `${path}.${key}`),
      )
    : [path];

async function faultsOf(
  { language, text: block }: Block,
  page: string,
  person: Person,
  text: string,
): Promise<string[]> {
  if (language === 'bash') return refusedCalls(block, person, text);
  if (language === 'sh') return scriptFaults(block);
  if (language === 'js') return workerFaults(block);
  if (language === 'html') {
    const names = [...block.matchAll(/heliograph-otp|OTP_WIDGETS|code:check/g)].map(
      ([name]) => name,
    );
    return names.filter((name) => !WIDGET.includes(name));
  }
  if (page !== 'api/webhooks.md') {
    const receipt = await person.api(sendings.create, { body: JSON.parse(block) as never });
    return 'status' in receipt && receipt.status === 'pending' ? [] : [JSON.stringify(receipt)];
  }
  const [sample] = await person.api(hooks.sample, { params: { event: 'sendings.status' } });
  const [shown, sent] = [JSON.parse(block) as unknown, sample].map((one) => fieldsIn(one));
  return [...shown!, ...sent!].filter((field) => !shown!.includes(field) || !sent!.includes(field));
}

const KINDS = ['bash', 'sh', 'json', 'html', 'js'];
/** What is no JSON is compared in tests of its own, `smpp-page.test.ts` and `compatible-page.test.ts`. */
const WITH_TEXTS = ['api/SMPP.md', 'api/compatible.md'];

describe('the examples of the pages', () => {
  test('there are pages with examples, and every block is of a kind that is tried', () => {
    expect(WITH_BLOCKS.length).toBeGreaterThan(20);
    for (const locale of LOCALES)
      for (const page of WITH_BLOCKS)
        for (const { language } of blocksOf(textOf(locale, page)))
          expect(
            WITH_TEXTS.includes(page) ? [...KINDS, 'text'] : KINDS,
            `${locale}/${page}`,
          ).toContain(language);
  });

  test.each(LOCALES)('no block is missed, and every variable is explained, in %s', (locale) => {
    for (const page of pages) {
      const text = textOf(locale, page);
      const blocks = blocksOf(text);
      expect([...text.matchAll(/^[ \t>]*(?:```|~~~)/gm)], page).toHaveLength(2 * blocks.length);
      const prose = blocks.reduce((rest, block) => rest.replace(block.text, ''), text);
      const unexplained = variablesOf(blocks).filter((name) => !prose.includes(`\`${name}\``));
      expect(unexplained, page).toEqual([]);
    }
  });

  test.each(['ru', 'es'])('there are as many in %s as in English', (locale) => {
    const kinds = (of: string, page: string) =>
      blocksOf(textOf(of, page)).map(({ language }) => language);
    for (const page of WITH_BLOCKS) expect(kinds(locale, page), page).toEqual(kinds('en', page));
  });

  for (const locale of LOCALES)
    test.skipIf(!hasCurl).each(WITH_BLOCKS)(`${locale}/%s answers as it says`, async (page) => {
      const text = textOf(locale, page);
      const person = await world.person();
      for (const block of blocksOf(text).filter(({ language }) => language !== 'text'))
        expect(await faultsOf(block, page, person, text)).toEqual([]);
    });
});
