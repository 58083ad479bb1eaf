import { sendings, webhooks } from '@heliograph/contract';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { execFile, spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setCarrier } from './factories.ts';
import { PASSWORD, until, World } from './world.ts';

const run = promisify(execFile);
const sdk = fileURLToPath(new URL('../../../packages/sdk', import.meta.url));
const from = createRequire(join(sdk, 'package.json'));
const pnpm = fileURLToPath(new URL('../../../node_modules/pnpm/bin/pnpm.cjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'heliograph-sdk-'));
const built = join(folder, 'sdk');
let world: World;
let tarball: string;

beforeAll(async () => {
  world = await World.start({ SENDERNAMES_CHECK: 'none' });
  await world.startWorker();
  await setCarrier(world, {});
  const answer = await fetch(`${world.base}/api/openapi.json`);
  writeFileSync(join(folder, 'openapi.json'), await answer.text());
  await run(process.execPath, [join(sdk, 'build.ts'), join(folder, 'openapi.json'), built]);
  await run(process.execPath, [pnpm, 'pack', '--pack-destination', folder], { cwd: built });
  tarball = join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.tgz'))!,
  );
});
afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true });
});

test('publint finds nothing in the package', async () => {
  const { messages } = await publint({ pkgDir: built, strict: true });
  expect(messages).toEqual([]);
});

test('its types are right for every way to resolve a module', async () => {
  const { problems } = (await checkPackage(
    createPackageFromTarballData(readFileSync(tarball)),
  )) as { problems: object[] };
  expect(problems).toEqual([]);
});

test.each([
  ['an ES module', 'module'],
  ['CommonJS', 'commonjs'],
])('from its tarball, as %s, a program compiles strictly and works', async (_, type) => {
  const place = join(folder, type);
  mkdirSync(place);
  const manifest = {
    name: 'program',
    type,
    dependencies: {
      '@heliograph/sdk': `file:${tarball}`,
      // From this workspace: the installation is without a registry.
      '@modelcontextprotocol/sdk': `link:${join(sdk, 'node_modules/@modelcontextprotocol/sdk')}`,
    },
  };
  writeFileSync(join(place, 'package.json'), JSON.stringify(manifest));
  await run(process.execPath, [pnpm, 'install', '--offline', '--ignore-workspace'], {
    cwd: place,
  });
  cpSync(join(sdk, 'test/program.ts'), join(place, 'program.ts'));
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: ['node'],
    typeRoots: [join(sdk, 'node_modules/@types')],
  };
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  const compiler = from.resolve('typescript/bin/tsc');
  const { stdout: errors } = await run(process.execPath, [compiler, '-p', place]).catch(
    (error: { stdout: string }) => error,
  );
  expect(errors).toBe('');
  const person = await world.person();
  const { stdout } = await run(
    process.execPath,
    ['program.js', world.base, person.token, 'whsec_AAAA'],
    { cwd: place },
  );
  expect(stdout).toBe('done\n');
  const sent = await world.db.query('select id from sendings where owner_id = $1', [
    person.OwnerId,
  ]);
  expect(sent).toHaveLength(1);
});

/** Runs the command of the package; resolves with how it ended. */
async function command(env: Record<string, string>, ...args: string[]) {
  const program = join(folder, 'module/node_modules/.bin/heliograph');
  const ended = (code: number, { stdout, stderr }: { stdout: string; stderr: string }) => ({
    code,
    lines: stdout.trim().split('\n'),
    stderr,
  });
  return await run(program, args, { env: { PATH: process.env.PATH!, ...env }, cwd: folder }).then(
    (output) => ended(0, output),
    (error: { code: number; stdout: string; stderr: string }) => ended(error.code, error),
  );
}

test('the command imports, sends, follows, reports and keeps tokens', async () => {
  const { username } = await world.person();
  const url = world.base;
  const login = {
    HELIOGRAPH_URL: url,
    HELIOGRAPH_USERNAME: username,
    HELIOGRAPH_PASSWORD: PASSWORD,
  };
  const made = await command(login, 'tokens', 'create', 'for the terminal');
  expect(made).toMatchObject({ code: 0, lines: [expect.stringMatching(/^hg_/)] });
  const listed = await command(login, 'tokens');
  expect(listed.lines).toEqual([expect.stringMatching(/^hg_.*… for the terminal -$/)]);

  const env = { HELIOGRAPH_URL: url, HELIOGRAPH_TOKEN: made.lines[0]! };
  writeFileSync(
    join(folder, 'people.csv'),
    'phone,first name\n+79161230001,Anna\n+79161230002,Boris\n',
  );
  for (const total of [2, 2]) {
    const imported = await command(env, 'import', 'people.csv', '--list', 'Customers', '--json');
    expect(imported.code).toBe(0);
    expect(JSON.parse(imported.lines[0]!)).toMatchObject({ total });
  }
  const text = ['--sender', 'MIRTEA', '--watch'];
  const single = await command(env, 'send', '+79990000000', 'Hello', ...text);
  expect(single).toMatchObject({ code: 0, stderr: '' });
  expect(single.lines.at(-1)).toMatch(/^(delivered|seen)$/);
  const bulk = await command(env, 'send', 'Hello {firstName}', '--list', 'Customers', ...text);
  expect(bulk).toMatchObject({ code: 0, stderr: '' });
  expect(bulk.lines.at(-1)).toBe('completed 2/2 reached 2 failed 0');

  const at = ['--at', new Date(Date.now() + 3_600_000).toISOString(), '--priority', 'low'];
  const later = await command(env, 'send', '+79990000000', 'Later', '--sender', 'MIRTEA', ...at);
  expect(later).toMatchObject({ code: 0, lines: [expect.stringMatching(/^[0-9a-f-]{36}$/)] });
  const cancel = () => command(env, 'cancel', later.lines[0]!);
  expect(await cancel()).toMatchObject({ code: 0, lines: ['cancelled'] });
  expect(await cancel()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^conflict: /) as string,
  });

  const report = await command(env, 'report', 'sendings.details', '--out', 'report.csv');
  expect(report).toMatchObject({ code: 0, lines: ['report.csv 4 rows'] });
  expect(readFileSync(join(folder, 'report.csv'), 'utf8')).toContain('79990000000');
});

test('the command says what was wrong, and ends with it', async () => {
  const { token } = await world.person();
  const env = { HELIOGRAPH_URL: world.base, HELIOGRAPH_TOKEN: token };
  expect(await command({}, 'send', '1', 'Hello')).toMatchObject({
    code: 2,
    stderr: 'Set HELIOGRAPH_URL.\n',
  });
  expect(await command(env, 'send', '+79990000000')).toMatchObject({
    code: 2,
    stderr: 'TEXT is missing.\n',
  });
  expect(await command(env, 'dance')).toMatchObject({ code: 2 });
  expect(await command(env, '--loud')).toMatchObject({ code: 2 });
  expect(await command(env, 'watch', '01930000-0000-7000-8000-0000000000a1')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^not_found: /) as string,
  });
  expect(await command(env, 'send', '+79990000000', 'Hello', '--type', 'pigeon')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^validation: [^]*\n {2}type: /) as string,
  });
  expect(await command(env, 'listen', 'http://127.0.0.1:9', '--webhook', 'None')).toMatchObject({
    code: 2,
    stderr: 'There is no webhook None.\n',
  });
  const away = { ...env, HELIOGRAPH_URL: 'http://127.0.0.1:9' };
  expect(await command(away, 'report', 'sendings.details')).toMatchObject({
    code: 1,
    stderr: 'http://127.0.0.1:9 does not answer.\n',
  });
});

test('the command serves the Model Context Protocol: to test numbers, to people when told so', async () => {
  const person = await world.person({ balance: 100 });
  const place = join(folder, 'module');
  cpSync(join(sdk, 'test/mcp-client.mjs'), join(place, 'mcp-client.mjs'));
  type Given = [tool: string, given: object];
  const calls = async (args: string[], ...given: Given[]) => {
    const env = {
      PATH: process.env.PATH!,
      HELIOGRAPH_URL: world.base,
      HELIOGRAPH_TOKEN: person.token,
    };
    const words = ['mcp-client.mjs', JSON.stringify(args), JSON.stringify(given)];
    const { stdout } = await run(process.execPath, words, { cwd: place, env });
    return JSON.parse(stdout) as { tools: string[]; answers: { isError: boolean; text: string }[] };
  };
  const message = { recipient: '+79990000000', text: 'Hello', sender: 'MIRTEA', key: 'one' };
  const unknown = '01930000-0000-7000-8000-0000000000a1';
  const { tools, answers } = await calls(
    [],
    ['send_message', message],
    // The same key sends once.
    ['send_message', message],
    ['send_message', { ...message, recipient: '+79161234567' }],
    ['estimate', { recipients: ['+79161234567'], text: 'Hello', sender: 'MIRTEA' }],
    ['get_balance', {}],
    ['find_messages', { limit: 1 }],
    ['get_message', { id: unknown }],
    ['get_message', { name: unknown }],
    ['search_documentation', { query: 'webhook signature' }],
    ['read_documentation', { page: 'api/webhooks' }],
  );
  expect(tools).toContain('send_message');
  const [sent, again, refused, estimate, balance, found, missing, misnamed, sections, page] =
    answers as Required<typeof answers>;
  const idOf = (answer?: { text: string }) => (JSON.parse(answer!.text) as { id: string }).id;
  const id = idOf(sent);
  expect(idOf(again)).toBe(id);
  expect(refused).toEqual({ isError: true, text: expect.stringContaining('no test number') });
  expect(JSON.parse(estimate!.text)).toMatchObject({ recipients: 1, segments: 1 });
  const resultOf = (answer?: { text: string }) =>
    (JSON.parse(answer!.text) as { result: number }).result;
  expect(resultOf(balance)).toBeLessThan(100);
  expect(found!.text).toContain(id);
  expect(missing).toEqual({ isError: true, text: expect.stringContaining('not_found') });
  expect(misnamed).toEqual({
    isError: true,
    text: 'There is no argument name. The argument id is missing.',
  });
  expect(sections!.text).toContain('api/webhooks');
  expect(page!.text).toMatch(/signature/i);

  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  const later = { sender: 'MIRTEA', text: 'Later', sendAt };
  const [waiting] = (await calls([], ['send_message', { ...later, recipient: '+79990000000' }]))
    .answers;
  const body = { type: 'sms', recipient: '+79161234567', payload: { sender: 'MIRTEA', text: 'x' } };
  const real = (await person.api(sendings.create, { body: { ...body, sendAt } as never })) as {
    id: string;
  };
  const [cancelled, kept] = (
    await calls([], ['cancel_message', { id: idOf(waiting) }], ['cancel_message', { id: real.id }])
  ).answers;
  expect(JSON.parse(cancelled!.text)).toMatchObject({ state: { code: 'stopped' } });
  expect(kept).toEqual({ isError: true, text: expect.stringContaining('no test number') });

  const before = resultOf((await calls([], ['get_balance', {}])).answers[0]);
  const live = await calls(
    ['--live'],
    ['send_message', { ...message, recipient: '+79161234567', key: 'two' }],
    ['get_balance', {}],
  );
  expect(live.answers.map(({ isError }) => isError)).toEqual([false, false]);
  expect(resultOf(live.answers[1])).toBeLessThan(before);
});

test('the command makes the calls of a webhook once more, with their signature', async () => {
  const calls: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      if (request.url === '/local') calls.push({ headers: request.headers, body });
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { api, token } = await world.person();
  const { port } = server.address() as { port: number };
  const hook = { title: 'Shop', event: 'sendings.status', url: `http://127.0.0.1:${port}/public` };
  const { secret } = await api(webhooks.create, { body: hook as never });
  const program = join(folder, 'module/node_modules/.bin/heliograph');
  const args = ['listen', `http://127.0.0.1:${port}/local`, '--webhook', 'Shop'];
  const env = {
    PATH: process.env.PATH!,
    HELIOGRAPH_URL: world.base,
    HELIOGRAPH_TOKEN: token,
    HELIOGRAPH_WEBHOOK_SECRET: secret,
  };
  const listening = spawn(program, args, { env, stdio: 'ignore' });
  try {
    const sent = await command(
      env,
      'send',
      '+79990000000',
      'Hello',
      '--sender',
      'MIRTEA',
      '--watch',
    );
    expect(sent.code).toBe(0);
    await until(
      async () => calls.some(({ body }) => body.includes('"delivered"')),
      'the call on the local server',
    );
    for (const { headers, body } of calls)
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
        type: 'sendings.status',
      });
  } finally {
    listening.kill();
    server.close();
  }
});
