import { hooks, integrations, sendings } from '@heliograph/contract';
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { otpCode, otpWidget } from './otp.ts';
import { World, type Person } from './world.ts';

/** The blocks of all pages but the guide of the API, which has its own test. */
const DOCS = join(import.meta.dirname, '../../../docs');
const LOCALES = ['en', 'ru', 'es'];
const FOLDERS = ['api', 'integrations', 'platform/user', 'platform/reseller', 'platform/manager'];
const GUIDE = 'api/HTTP-REST.md';

const pages = FOLDERS.filter((folder) => existsSync(join(DOCS, 'en', folder))).flatMap((folder) =>
  readdirSync(join(DOCS, 'en', folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`),
);
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
const WITH_BLOCKS = pages.filter((page) => page !== GUIDE && blocksOf(textOf('en', page)).length);

const hasCurl = (() => {
  try {
    execFileSync('curl', ['--version']);
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

/** Runs the calls of a block one after another. Later ones use what the answers gave. */
async function runCalls(block: string, person: Person, text: string): Promise<void> {
  const env: Record<string, string> = { TOKEN: person.token, RECIPIENT: '%2B79990000000' };
  if (block.includes('$URL')) env.URL = await inboundUrl(person, text);
  if (block.includes('$REQUEST')) {
    env.WIDGET = await otpWidget(person, ['sms']);
    env.REQUEST_ID = env.REQUEST = '';
  }
  const begin = async () => {
    const body = `{ "widgetId": "${env.WIDGET}", "recipient": "+79990000000" }`;
    const answer = await run(
      `curl '{{api}}/n/otp-handler' -H 'Content-Type: application/json' -d '${body}'`,
      {},
    );
    return String(answer.requestId);
  };
  if (block.includes('$REQUEST_ID')) {
    env.REQUEST_ID = await begin();
    const code = await otpCode(world, env.REQUEST_ID);
    const check = `curl '{{api}}/n/otp-handler/${env.REQUEST_ID}/checkCode' -H 'Content-Type: application/json' -d '{ "code": "${code}" }'`;
    expect(await run(check, {})).toEqual({ success: true });
  }
  for (const call of block.split(/^(?=curl )/m)) {
    if (call.includes('$CODE')) env.CODE = (await otpCode(world, env.REQUEST!))!;
    const answer = await run(call, env);
    expect(
      answer.id ?? answer.requestId ?? answer.type ?? answer.success,
      `${call}${JSON.stringify(answer)}`,
    ).toBeTruthy();
    expect(answer.error ?? null, `${call}${JSON.stringify(answer)}`).toBeNull();
    if (answer.requestId) env.REQUEST = String(answer.requestId);
  }
}

/** The paths of all fields, through the first row of a list. */
const fieldsIn = (value: unknown, path = ''): string[] =>
  value && typeof value === 'object'
    ? Object.entries(Array.isArray(value) ? { 0: value[0] } : value).flatMap(([key, inner]) =>
        fieldsIn(inner, `${path}.${key}`),
      )
    : [path];

describe('the examples of the pages', () => {
  test('there are pages with examples, and every block is of a kind that is tried', () => {
    expect(WITH_BLOCKS.length).toBeGreaterThan(20);
    for (const locale of LOCALES)
      for (const page of WITH_BLOCKS)
        for (const { language } of blocksOf(textOf(locale, page)))
          expect(['bash', 'json', 'html'], `${locale}/${page}`).toContain(language);
  });

  test.each(['ru', 'es'])('are in %s what they are in English, but for their texts', (locale) => {
    // Commands of the shell, without what stands in strings of several words.
    const shape = (page: string, of: string) =>
      blocksOf(textOf(of, page)).map(({ language, text }) => [
        language,
        text.replace(/"[^"\n]* [^"\n]*"/g, '"…"'),
      ]);
    for (const page of WITH_BLOCKS) expect(shape(page, locale), page).toEqual(shape(page, 'en'));
  });

  for (const locale of LOCALES)
    test.skipIf(!hasCurl).each(WITH_BLOCKS)(`${locale}/%s answers as it says`, async (page) => {
      const text = textOf(locale, page);
      const person = await world.person();
      for (const { language, text: block } of blocksOf(text)) {
        if (language === 'bash') await runCalls(block, person, text);
        if (language === 'json' && page.startsWith('integrations/')) {
          const body = JSON.parse(block) as never;
          expect(await person.api(sendings.create, { body })).toMatchObject({ status: 'pending' });
        }
        if (language === 'json' && page === 'api/webhooks.md') {
          const params = { event: 'sendings.status' as const };
          const [sample] = (await person.api(hooks.sample, { params })) as object[];
          expect(fieldsIn(JSON.parse(block)).sort()).toEqual(fieldsIn(sample).sort());
        }
        if (language === 'html')
          for (const [, name] of block.matchAll(/(heliograph-otp|OTP_WIDGETS|code:check)/g))
            expect(WIDGET).toContain(name);
      }
    });
});
