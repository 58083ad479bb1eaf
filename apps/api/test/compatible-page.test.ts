import { execFile, execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failureNumber } from '../src/features/compatible/twilio-messages.ts';
import { approve } from './factories.ts';
import { newTokenParts } from './flows/compatible.ts';
import { World, type Person } from './world.ts';

const page = (locale: string) =>
  readFile(new URL(`../../../docs/${locale}/api/compatible.md`, import.meta.url), 'utf8');

/** The calls of the page with the answers below them. */
const callsOf = (text: string) =>
  [...text.matchAll(/```text\n(curl [^\n]+)\n\n([\s\S]*?)\n```/g)].map(([, command, answer]) => ({
    command: command!,
    answer: answer!,
  }));

const hasCurl = (() => {
  try {
    execFileSync('curl', ['--version']);
    return true;
  } catch {
    return false;
  }
})();

/** An answer without what differs each time: ids, prices and times. Of JSON, the fields and their types. */
function shapeOf(answer: string): unknown {
  if (!answer.startsWith('{')) return answer;
  return JSON.parse(answer, (_, value: unknown) =>
    value === null || typeof value === 'object' ? value : typeof value,
  );
}

let world: World;
let owner: Person;
beforeAll(async () => {
  world = await World.start({ COMPATIBLE_APIS: 'kannel,twilio,smsc,smsru' });
  owner = await world.person();
  await approve(world, owner.id);
});
afterAll(() => world.stop());

describe.each(['en', 'ru', 'es'])('the page on APIs of other services (%s)', (locale) => {
  test.skipIf(!hasCurl)('has calls that are answered as it says', async () => {
    const calls = callsOf(await page(locale));
    expect(calls).toHaveLength(4);
    const { token, prefix, secret } = await newTokenParts(owner);
    const env = { PATH: process.env.PATH, TOKEN: token, NAME: prefix, SECRET: secret };
    for (const { command, answer } of calls) {
      const script = command.replaceAll('{{site}}', world.base).replace(/^curl /, 'curl -sS ');
      const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', script], { env });
      expect(shapeOf(stdout), command).toEqual(shapeOf(answer));
    }
  });

  test('names the numbers of failures that are answered', async () => {
    const text = await page(locale);
    const numbers = ['absent_subscriber', 'expired', 'unsubscribed', 'insufficient_funds'];
    for (const code of numbers) expect(text).toContain(String(failureNumber(code)));
  });
});
