import {
  CALL_LANGUAGES,
  exampleOf,
  readHttpCall,
  writeHttpCall,
  type HttpCall,
} from '@heliograph/domain';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { php } from '../../../scripts/lib/php.mjs';
import { openapi } from '../src/core/http/openapi/openapi.ts';
import { createReference } from '../src/features/documentation/reference.ts';
import { runsHere } from './programs.ts';

const PHP = await php();
const run = promisify(execFile);
const document = openapi({ version: '1.0.0', site: 'https://beacon.example' });
const CALLS = [...createReference('en', document).matchAll(/^```http(?: test)?\n([^]*?)\n```$/gm)];
const calls = CALLS.map(([, text]) => readHttpCall(text!));

interface Runner {
  language: (typeof CALL_LANGUAGES)[number];
  file: string;
  program: string;
  args: string[];
  env?: Record<string, string> | undefined;
  probe: string[];
  /** Reads the files that `argv` names without running them; fails at the first that is none of the language. */
  parse: string[];
}
const RUNNERS: Runner[] = [
  {
    language: 'curl',
    file: 'call.sh',
    program: 'sh',
    args: [],
    probe: ['-c', 'curl --version'],
    parse: ['-c', 'for file in "$@"; do sh -n "$file" || exit 1; done', 'sh'],
  },
  {
    language: 'typescript',
    file: 'call.mts',
    program: process.execPath,
    args: [],
    probe: ['--version'],
    parse: [
      '-e',
      `const { readFileSync } = require('node:fs'); const { stripTypeScriptTypes } = require('node:module');
      for (const file of process.argv.slice(1)) stripTypeScriptTypes(readFileSync(file, 'utf8'));`,
    ],
  },
  {
    language: 'php',
    file: 'call.php',
    program: PHP?.command ?? 'php',
    args: PHP?.args ?? [],
    env: PHP?.env,
    probe: [...(PHP?.args ?? []), '-r', 'curl_version();'],
    parse: [
      ...(PHP?.args ?? []),
      '-r',
      // Compiled as a whole, and left before its first statement.
      `foreach (array_slice($argv, 1) as $file) eval('return; ?>' . file_get_contents($file));`,
      '--',
    ],
  },
  {
    language: 'python',
    file: 'call.py',
    program: 'python3',
    args: [],
    probe: ['--version'],
    parse: ['-c', 'import ast, sys\nfor file in sys.argv[1:]: ast.parse(open(file).read())'],
  },
];

/** What every language has to quote. */
const HARD = {
  method: 'PUT',
  path: "/api/contacts/a'b?%24search=%22it%27s%22&x=1",
  headers: { Authorization: 'Bearer hg_…', 'Content-Type': 'application/json' },
  body: JSON.stringify({
    text: `It's "quoted" \\ $HOME \`id\` {name} \n|line\ttab Ж 🍵 \u2028 %s`,
    "a'b": [null, true, false, -1.5, 1e21, {}, [], [[{ deep: ['\\'] }]]],
  }),
};
const SAMPLES: HttpCall[] = [
  HARD,
  {
    method: 'POST',
    path: '/api/x',
    headers: { 'Content-Type': 'text/csv' },
    body: `a,"b's"\n1,$2`,
  },
  { method: 'GET', path: '/api/x?live=false', headers: {}, body: '' },
  { method: 'POST', path: '/api/x', headers: { Authorization: 'Bearer hg_…' }, body: '' },
  { method: 'DELETE', path: '/api/x', headers: { Authorization: 'Bearer hg_…' }, body: '' },
];

let folder: string;
let server: Server;
let site: string;
let received: unknown[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heliograph-calls-'));
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      const { authorization, 'content-type': type } = headers;
      const isJson = type === 'application/json';
      received.push({ method, url, authorization, body: isJson ? JSON.parse(body) : body });
      response.end('{"id":"Ж"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

test('every call of the reference has one example, which is read as it was written', () => {
  expect(calls.length).toBeGreaterThan(50);
  for (const [index, call] of calls.entries()) {
    expect(writeHttpCall(call)).toBe(CALLS[index]![1]);
    expect(call.method).toMatch(/^(?:GET|POST|PUT|PATCH|DELETE)$/);
    expect(call.path).toMatch(/^\/api\/[^\s:{}]+$/);
    expect(`${call.path} ${call.body}`).not.toMatch(/undefined|\[object/);
  }
});

test.for(RUNNERS)('examples in $language send what they say', async (one, { skip }) => {
  if (!runsHere(one.program, one.probe, one.env))
    return skip(`${one.program} cannot run it on this machine`);
  for (const call of SAMPLES) {
    received = [];
    writeFileSync(join(folder, one.file), exampleOf(one.language, site, call));
    const { stdout } = await run(one.program, [...one.args, one.file], {
      cwd: folder,
      env: { ...process.env, ...one.env, TOKEN: 'hg_secret' },
    });
    expect(stdout).toContain('{"id":"Ж"}');
    const { method, path, headers, body } = call;
    const hasJson = headers['Content-Type'] === 'application/json';
    expect(received).toEqual([
      {
        method,
        url: path,
        authorization: 'Authorization' in headers ? 'Bearer hg_secret' : undefined,
        body: hasJson ? JSON.parse(body) : body,
      },
    ]);
  }
});

test.for(RUNNERS)('all examples in $language can be read by it', async (one, { skip }) => {
  if (!runsHere(one.program, one.probe, one.env))
    return skip(`${one.program} cannot run it on this machine`);
  const files = calls.map((call, index) => {
    const file = join(folder, `${index}-${one.file}`);
    writeFileSync(file, exampleOf(one.language, 'https://beacon.example', call));
    return file;
  });
  await run(one.program, [...one.parse, ...files], { env: { ...process.env, ...one.env } });
  // The reading is one that finds faults.
  writeFileSync(files[0]!, one.language === 'php' ? '<?php ((' : '((');
  await expect(
    run(one.program, [...one.parse, files[0]!], { env: { ...process.env, ...one.env } }),
  ).rejects.toThrow('Command failed');
});

test('an example for 1C has its texts in doubled quotes, with a bar before each further line', () => {
  const lines = exampleOf('1c', 'http://beacon.example:8080', HARD).split('\n');
  expect(lines).toContain('Соединение = Новый HTTPСоединение("beacon.example", 8080,,,, 30);');
  expect(lines).toContain('Ответ = Соединение.ВызватьHTTPМетод("PUT", Запрос);');
  const [first] = CALLS.filter(([, text]) => text!.startsWith('POST /api/sendings\n'));
  const program = exampleOf('1c', 'https://beacon.example', readHttpCall(first![1]!));
  expect(program).toContain('"beacon.example", 443,,,, 30, Новый ЗащищенноеСоединениеOpenSSL);');
  expect(program).toContain('\n|  ""type"": ""sms"",\n');
  for (const call of calls) {
    let isOpen = false;
    for (const line of exampleOf('1c', 'https://beacon.example', call).split('\n')) {
      expect(line.startsWith('|')).toBe(isOpen);
      isOpen = isOpen !== (line.match(/"/g)?.length ?? 0) % 2 > 0;
    }
    expect(isOpen).toBe(false);
  }
});
