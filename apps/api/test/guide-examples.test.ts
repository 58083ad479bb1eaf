import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  writeFileSync(
    join(folder, 'contacts.csv'),
    'phone,first name\n+79990000001,Boris\n+79990000002,Clara\n',
  );
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
  test('has the same examples in every language, and explains their variables', () => {
    const shape = (locale: string) =>
      examplesOf(guide(locale)).map(({ command, answer, variable }) => [
        command,
        Object.keys(answer as object),
        variable,
      ]);
    const english = shape('en');
    expect(english.length).toBeGreaterThan(12);
    expect(english.filter(([, , variable]) => variable).length).toBe(6);
    for (const locale of LOCALES) {
      expect(shape(locale)).toEqual(english);
      for (const [, name] of guide(locale).matchAll(/\$([A-Z]{4,})\b/g))
        expect(guide(locale), `${locale} ${name}`).toMatch(new RegExp(`\`${name}\``));
    }
  });

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
