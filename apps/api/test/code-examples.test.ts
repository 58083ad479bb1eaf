import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { php } from '../../../scripts/lib/php.mjs';
import { runsHere } from './programs.ts';
import { World, type Person } from './world.ts';

const EXAMPLES = join(import.meta.dirname, '../../../docs/examples');

const FIELD = 'payload.text';
const PHP = await php();
interface Example {
  file: string;
  as: string;
  program: string;
  args?: string[] | undefined;
  env?: Record<string, string> | undefined;
  probe: string[];
  error: string;
}

/** The programs of the page that may be on this machine. C# would need a project around it, 1C its platform. `error` is what they print of a refusal. */
const PROGRAMS: Example[] = [
  {
    file: 'client.js',
    as: 'client.mjs',
    program: process.execPath,
    probe: ['--version'],
    error: FIELD,
  },
  { file: 'client.py', as: 'client.py', program: 'python3', probe: ['--version'], error: FIELD },
  {
    file: 'client.sh',
    as: 'client.sh',
    program: 'sh',
    probe: ['-c', 'curl --version'],
    error: FIELD,
  },
  {
    file: 'client.php',
    as: 'client.php',
    program: PHP?.command ?? 'php',
    args: PHP?.args,
    env: PHP?.env,
    probe: [...(PHP?.args ?? []), '-r', 'curl_version();'],
    error: FIELD,
  },
];

let world: World;
let person: Person;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heliograph-examples-'));
  world = await World.start();
});
afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true });
});

test.for(PROGRAMS)('$file sends, imports and reads as it says', async (one, { skip }) => {
  if (!runsHere(one.program, one.probe, one.env))
    return skip(`${one.program} cannot run it on this machine`);
  person = await world.person();
  await world.db.query(
    `insert into sendernames (owner_id, name, type, moderation, comment) values ($1, 'DEMO', 'sms', 'approved', '')`,
    [person.id],
  );
  const source = readFileSync(join(EXAMPLES, one.file), 'utf8');
  writeFileSync(join(folder, one.as), source.replaceAll('{{api}}', `${world.base}/api`));
  const { stdout } = await promisify(execFile)(one.program, [...(one.args ?? []), one.as], {
    cwd: folder,
    env: { ...process.env, ...one.env, TOKEN: person.token, API: `${world.base}/api` },
  });
  const rows = await world.db.query<{ lists: number; contacts: number; tasks: number }>(
    `select (select count(*)::int from contact_lists where owner_id = $1) as lists,
            (select count(*)::int from contacts c join contact_lists l on l.id = c.list_id where l.owner_id = $1) as contacts,
            (select count(*)::int from tasks where owner_id = $1) as tasks`,
    [person.id],
  );
  expect([rows, stdout]).toEqual([
    [{ lists: 1, contacts: 2, tasks: 1 }],
    expect.stringMatching(/^message [\da-f-]{36}\n(?:pending|processing|sent|delivered)\n/),
  ]);
  expect(stdout).toContain(one.error);
});

test('every example is on the page in every language', () => {
  const pages = ['en', 'ru', 'es'].map((locale) =>
    readFileSync(join(EXAMPLES, `../${locale}/api/code-examples.md`), 'utf8'),
  );
  for (const page of pages)
    expect([...page.matchAll(/^@include examples\/(\S+)$/gm)].map(([, file]) => file)).toEqual([
      'client.sh',
      'client.py',
      'client.js',
      'client.php',
      'client.cs',
      'client.bsl',
    ]);
});
