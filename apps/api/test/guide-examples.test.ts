import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD, World } from './world.ts';

const DOCS = join(import.meta.dirname, '../../../docs');
const LOCALES = ['en', 'ru', 'es'];
const guide = (locale: string) => readFileSync(join(DOCS, locale, 'api/HTTP-REST.md'), 'utf8');

/** A command of the guide, the answer below it and the variable that takes a field of the answer. */
interface Example {
  command: string;
  answer: unknown;
  variable?: [field: string, name: string];
}
const EXAMPLE =
  /```bash\n([\s\S]*?)```\n\n```json\n([\s\S]*?)```(?:\n\n[^\n]*`(id|key)`[^\n]*`([A-Z]{4,})`)?/g;
const examplesOf = (text: string): Example[] =>
  [...text.matchAll(EXAMPLE)].map(([, command, answer, field, name]) => ({
    command: command!,
    answer: JSON.parse(answer!) as unknown,
    variable: field && name ? [field, name] : undefined,
  }));

/** Where an answer lacks a field of the example, or has it with another type. Lists are compared by their first rows. */
function differences(expected: unknown, actual: unknown, path = ''): string[] {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return [`${path} is no list`];
    return expected.length && actual.length
      ? differences(expected[0], actual[0], `${path}[0]`)
      : [];
  }
  if (expected && typeof expected === 'object') {
    if (!actual || typeof actual !== 'object') return [`${path} is no object`];
    return Object.entries(expected).flatMap(([key, value]) =>
      key in actual
        ? differences(value, (actual as Record<string, unknown>)[key], `${path}.${key}`)
        : [`${path}.${key} is missing`],
    );
  }
  return expected === null || actual === null || typeof expected === typeof actual
    ? []
    : [`${path} is a ${typeof actual}`];
}

/** Without the sentences, which differ by language. */
const blank = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body, (key, value: unknown) =>
      ['message', 'required'].includes(key) ? '…' : value,
    ),
  );

const hasCurl = (() => {
  try {
    execFileSync('curl', ['--version']);
    return true;
  } catch {
    return false;
  }
})();

let world: World;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heliograph-guide-'));
  world = await World.start();
});
afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true });
});

async function run(command: string, env: Record<string, string>): Promise<unknown> {
  const script = command
    .replaceAll('{{api}}', `${world.base}/api`)
    .replaceAll(/\bcurl /g, 'curl -sS ');
  const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', script], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
  return JSON.parse(stdout) as unknown;
}

describe('the guide of the API', () => {
  test('has the same examples in every language', () => {
    const shape = (locale: string) =>
      examplesOf(guide(locale)).map(({ command, answer, variable }) => [
        command,
        Object.keys(answer as object),
        variable,
      ]);
    const english = shape('en');
    expect(english.length).toBeGreaterThan(12);
    expect(english.filter(([, , variable]) => variable).length).toBe(6);
    for (const locale of LOCALES) expect(shape(locale)).toEqual(english);
  });

  test.each(LOCALES)(
    'its other blocks are the variables of the examples, and a refusal as it is answered, in %s',
    async (locale) => {
      const others = [
        ...guide(locale)
          .replaceAll(EXAMPLE, '')
          .matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm),
      ].map(([, language, text]) => [language!, text!] as const);
      expect(others.map(([language]) => language)).toEqual(['sh', 'json']);
      const [[, variables], [, refusal]] = others as [
        readonly [string, string],
        readonly [string, string],
      ];
      const print = `printf '["%s","%s","%s"]' "$TOKEN" "$LOGIN" "$PASSWORD"`;
      expect(await run(`${variables}${print}`, {})).toEqual(['hg_…', '…', '…']);
      const { token } = await world.person();
      const answer = await fetch(`${world.base}/api/sendings`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          type: 'sms',
          recipient: '+79990000000',
          payload: { sender: 'DEMO' },
        }),
      });
      const actual = (await answer.json()) as Record<string, unknown>;
      const shown = JSON.parse(
        refusal.replace('{{site}}', String(actual.docs).split('/documentation')[0]!),
      ) as Record<string, unknown>;
      expect(blank(actual)).toEqual(blank({ ...shown, requestId: actual.requestId }));
    },
  );

  test.skipIf(!hasCurl).each(LOCALES)(
    'its commands are answered as it shows, in %s (skipped without curl)',
    async (locale) => {
      const person = await world.person();
      await world.db.query(
        `insert into sendernames (owner_id, name, type, moderation, comment) values ($1, 'DEMO', 'sms', 'approved', '')`,
        [person.id],
      );
      const env: Record<string, string> = {
        TOKEN: person.token,
        OWNER: person.id,
        LOGIN: person.username,
        PASSWORD,
        START: new Date(Date.now() + 86_400_000).toISOString(),
        SINCE: new Date(Date.now() - 60_000).toISOString(),
      };
      for (const { command, answer, variable } of examplesOf(guide(locale))) {
        const actual = (await run(command, env)) as Record<string, string>;
        const shown = `${command}${JSON.stringify(actual)}`;
        expect(differences(answer, actual), shown).toEqual([]);
        if (variable) env[variable[1]] = actual[variable[0]]!;
      }
    },
  );
});
