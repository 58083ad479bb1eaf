#!/usr/bin/env node
// Compiled with the package, whose methods come from the document of the API.
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ApiError,
  Heliograph,
  NoAnswer,
  signWebhook,
  VERSION,
  type Body,
  type Schema,
} from './index.ts';

const HELP = `heliograph: the API of an installation from a terminal

  send PHONE TEXT           one message; with --list TEXT, a bulk to a list of contacts
  cancel ID                 a message that is not sent yet
  watch ID                  follows a message or a bulk until it ends
  import FILE --list TITLE  contacts of a CSV or Excel file; the list is created if there is none
  report PRESET             a report as a file, for --from and --to
  tokens                    the API tokens; tokens create DESCRIPTION makes one
  listen URL --webhook NAME calls a local URL with every event of a webhook
  mcp                       a server of the Model Context Protocol on stdin and stdout; with --live it sends to people

  --type TYPE      sms (default), viber, whatsapp …     --sender NAME   the sender name
  --list TITLE     the title or id of a list            --key KEY       the Idempotency-Key
  --at TIME        when one message is sent: with zone   --priority      high, normal or low
  --watch          send, then watch                     --json          answers as JSON
  --from, --to     2026-01-31 or a time with zone       --out FILE      where a report is written
  --permissions    of a token, by commas; all without it  --webhook NAME  the name or id of a webhook

HELIOGRAPH_URL is the address of the installation, HELIOGRAPH_TOKEN an API token. Tokens are managed by a person:
HELIOGRAPH_USERNAME and HELIOGRAPH_PASSWORD. Calls of listen are signed with HELIOGRAPH_WEBHOOK_SECRET. It ends
with 0, with 1 if something was refused or not delivered, with 2 if it was called in a wrong way.`;

/** Called in a wrong way. */
class Usage extends Error {}

const env = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Usage(`Set ${name}.`);
  return value;
};

const { values: given, positionals } = (() => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        type: { type: 'string', default: 'sms' },
        sender: { type: 'string' },
        list: { type: 'string' },
        key: { type: 'string' },
        watch: { type: 'boolean' },
        json: { type: 'boolean' },
        at: { type: 'string' },
        priority: { type: 'string' },
        from: { type: 'string' },
        to: { type: 'string' },
        out: { type: 'string' },
        permissions: { type: 'string' },
        webhook: { type: 'string' },
        live: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
})();

const [command, ...args] = positionals;
const say = (value: object, text: string) => console.log(given.json ? JSON.stringify(value) : text);
const argument = (index: number, name: string): string => {
  const value = args[index];
  if (!value) throw new Usage(`${name} is missing.`);
  return value;
};
const client = () => new Heliograph({ url: env('HELIOGRAPH_URL'), token: env('HELIOGRAPH_TOKEN') });

const COMMANDS: Record<string, () => Promise<void>> = {
  send,
  cancel,
  watch: () => watch(client(), argument(0, 'ID')),
  import: importContacts,
  report,
  tokens,
  listen,
  mcp,
};

async function send(): Promise<void> {
  const helio = client();
  // A bulk has a schedule instead.
  const whenOf = (at: string) => (given.list ? { schedule: { delay: at } } : { sendAt: at });
  const recipient = given.list
    ? { include: [(await listOf(helio, given.list)).id] }
    : argument(0, 'PHONE');
  const text = argument(given.list ? 0 : 1, 'TEXT');
  const body = {
    type: given.type,
    recipient,
    payload: { text, ...(given.sender && { sender: given.sender }) },
    ...(given.at && whenOf(timeOf('at', given.at))),
    ...(given.priority && { priority: given.priority }),
  } as Body<'sendings.create'>;
  const sent = await helio.sendings.create(body, given.key ? { idempotencyKey: given.key } : {});
  for (const one of Array.isArray(sent) ? sent : [sent]) {
    const id = 'groupId' in one && !('recipient' in one) ? one.groupId : (one as { id: string }).id;
    say(one, String(id));
    if (given.watch) await watch(helio, String(id));
    else if ('status' in one && one.status === 'failed') process.exitCode = 1;
  }
}

async function cancel(): Promise<void> {
  const row = await client().sendings.cancel(argument(0, 'ID'));
  say(row, row.state.outcome);
}

/** The time of an option in UTC. */
function timeOf(name: string, value: string): string {
  const at = new Date(value);
  if (Number.isNaN(at.getTime())) throw new Usage(`--${name} is no time.`);
  return at.toISOString();
}

const ENDS = ['delivered', 'seen', 'failed', 'cancelled'];

/** Follows what has this id, a message or a bulk. */
async function watch(helio: Heliograph, id: string): Promise<void> {
  const isBulk = await helio.tasks.get(id).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return false;
      throw error;
    },
  );
  let last = '';
  for (;;) {
    const now = isBulk ? await bulkNow(helio, id) : await messageNow(helio, id);
    if (now.text !== last) say(now.row, now.text);
    last = now.text;
    if (now.isOver) {
      if (now.isFailure) process.exitCode = 1;
      return;
    }
    await sleep(1000);
  }
}

interface Now {
  row: object;
  text: string;
  isOver: boolean;
  isFailure: boolean;
}

async function messageNow(helio: Heliograph, id: string): Promise<Now> {
  const row = await helio.sendings.get(id);
  const { status, code } = row.state;
  const isOver = ENDS.includes(status);
  return {
    row,
    text: [status, code].filter(Boolean).join(' '),
    isOver,
    isFailure: isOver && ['failed', 'cancelled'].includes(status),
  };
}

async function bulkNow(helio: Heliograph, id: string): Promise<Now> {
  const row: Schema<'Task'> = await helio.tasks.get(id);
  const { total, completed, errored, cancelled } = row.meta.counters;
  const done = completed + errored + cancelled;
  return {
    row,
    text: `${row.state} ${done}/${total} reached ${completed} failed ${errored}`,
    isOver: ['completed', 'failed', 'cancelled'].includes(row.state),
    isFailure: row.state !== 'completed' || errored > 0,
  };
}

/** The list of this title or id. */
async function listOf(helio: Heliograph, name: string): Promise<{ id: string }> {
  for await (const list of helio.each(helio.contactLists.find))
    if (list.id === name || list.title === name) return list;
  throw new Usage(`There is no list ${name}.`);
}

async function importContacts(): Promise<void> {
  const path = argument(0, 'FILE');
  if (!given.list) throw new Usage('--list is missing.');
  const { list: title } = given;
  const bytes = await readFile(path).catch((error: Error) => {
    throw new Usage(error.message);
  });
  const helio = client();
  const list = await listOf(helio, title).catch((error: unknown) => {
    if (!(error instanceof Usage)) throw error;
    return helio.contactLists.create({ title, type: 'regular' });
  });
  const file = await helio.storage.create(new File([bytes], basename(path)));
  const result = await helio.contacts.import({ ListId: list.id, from: { key: file.key } });
  say(result, JSON.stringify(result));
}

async function report(): Promise<void> {
  const preset = argument(0, 'PRESET');
  const helio = client();
  const from = given.from && timeOf('from', given.from);
  const to = given.to && timeOf('to', given.to);
  const { key } = await helio.reports.create({
    preset,
    encoding: 'utf8',
    where: { createdAt: { ...(from && { $gt: from }), ...(to && { $lt: to }) } },
  } as Body<'reports.create'>);
  for (;;) {
    const row = await helio.reports.get(key);
    if (row.state === 'completed') {
      const out = given.out ?? row.filename;
      await writeFile(out, Buffer.from(await (await helio.storage.get(key)).arrayBuffer()));
      return say(row, `${out} ${row.progress.rows} rows`);
    }
    if (row.state === 'failed' || row.state === 'cancelled') {
      console.error(`The report is ${row.state}: ${row.reason ?? ''}`);
      process.exitCode = 1;
      return;
    }
    await sleep(500);
  }
}

async function tokens(): Promise<void> {
  const url = env('HELIOGRAPH_URL');
  const body = { username: env('HELIOGRAPH_USERNAME'), password: env('HELIOGRAPH_PASSWORD') };
  const session = await new Heliograph({ url }).auth.login(body);
  const helio = new Heliograph({ url, token: session.token });
  try {
    if (args[0] === 'create') {
      const token = await helio.tokens.create({
        description: argument(1, 'DESCRIPTION'),
        permissions: given.permissions?.split(',') ?? null,
      } as Body<'tokens.create'>);
      return say(token, token.token);
    }
    for await (const token of helio.each(helio.tokens.find))
      say(token, `${token.prefix}… ${token.description} ${token.lastUsedAt ?? '-'}`);
  } finally {
    await helio.auth.logout();
  }
}

/** The id of the webhook of this name or id. */
async function webhookOf(helio: Heliograph, name: string): Promise<string> {
  for await (const { id, title } of helio.each(helio.webhooks.find))
    if (id === name || title === name) return id;
  throw new Usage(`There is no webhook ${name}.`);
}

/** Reads the log of the webhook and makes its calls once more, to a URL that the installation cannot reach. */
async function listen(): Promise<void> {
  const url = argument(0, 'URL');
  if (!given.webhook) throw new Usage('--webhook is missing.');
  let from = new Date();
  const helio = client();
  const webhook = await webhookOf(helio, given.webhook);
  const secret = process.env.HELIOGRAPH_WEBHOOK_SECRET;
  const seen = new Set<string>();
  for (;;) {
    const query = { createdAt: { $gt: from.toISOString() }, $order: 'createdAt:asc', $limit: 100 };
    const { data } = await helio.webhooks.deliveries(webhook, query);
    for (const { id } of data.filter((one) => !seen.has(one.id))) {
      seen.add(id);
      const { request, callId } = await helio.webhooks.delivery(webhook, id);
      const body = request.body ?? '';
      const signature = secret ? await signWebhook({ body, secret, id: callId }) : {};
      const headers = request.headers.flatMap(({ name, value }) =>
        value === null || /^(host|content-length)$/i.test(name)
          ? []
          : [[name, value] as [string, string]],
      );
      const answer = await fetch(url, {
        method: request.method,
        headers: [...headers, ...Object.entries(signature)],
        body: request.method === 'GET' ? null : body,
      }).then(
        ({ status }) => String(status),
        (error: Error) => error.message,
      );
      say({ id, answer }, `${id} ${answer}`);
    }
    // Rows that are written at the same moment may appear later than each other.
    from = new Date(Math.max(from.getTime(), Date.now() - 60_000));
    if (seen.size > 10_000) seen.clear();
    await sleep(1000);
  }
}

/** Tools for programs of language models, by the optional package `@modelcontextprotocol/sdk`. */
async function mcp(): Promise<void> {
  const helio = client();
  const { serveMcp } = await import('./mcp.ts').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Usage('Install the package @modelcontextprotocol/sdk beside this one.');
  });
  await serveMcp(helio, { version: VERSION, isLive: given.live ?? false });
}

async function main(): Promise<void> {
  const run = COMMANDS[command ?? ''];
  if (given.help || !run) {
    console.log(HELP);
    if (!given.help) process.exitCode = 2;
    return;
  }
  try {
    await run();
  } catch (error) {
    if (error instanceof Usage) {
      console.error(error.message);
      process.exitCode = 2;
    } else if (error instanceof ApiError) {
      console.error(`${error.code}: ${error.message}`);
      for (const { field, message } of error.fields) console.error(`  ${field}: ${message}`);
      if (error.docs) console.error(error.docs);
      process.exitCode = 1;
    } else if (error instanceof NoAnswer) {
      console.error(`${env('HELIOGRAPH_URL')} does not answer.`);
      process.exitCode = 1;
    } else throw error;
  }
}

void main();
