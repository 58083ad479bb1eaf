import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECRET } from './carrier.ts';
import { channel, type Product } from './product.ts';
import { peakMb, residentMb } from './proc.ts';
import { percentile, reached, say, type Bench, type Row } from './rows.ts';
import { accounts } from './single.ts';
import { signed } from './statuses.ts';

/** Clients that wait in a long poll each, and the events of which the latency is taken. */
const CLIENTS = Number(process.env.BENCH_POLLS ?? 5000);
const EVENTS = 200;
/** Calls under way at a time. */
const AT_A_TIME = 50;
/** How long statements are counted. Postgres publishes the counters of an idle connection after ten seconds. */
const WATCH_MS = 20_000;
const PUBLISHED_MS = 12_000;
/** Accounts with a widget each. */
const OWNERS = 20;
/** So many numbering ranges that in none of them there is enough for a conclusion about pumping. */
const RANGES = 900;
const NAME = 'codes';
const HANDLER = '/n/otp-handler';

interface Session {
  id: string;
  phone: string;
}
interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** A carrier that keeps what it is sent: the codes and references of numbers. */
class Carrier {
  readonly received = new Map<string, { reference: string; code: string }>();
  readonly server: Server = createServer((call, response) => {
    const parts: Buffer[] = [];
    call.on('data', (part: Buffer) => parts.push(part));
    call.on('end', () => {
      const { messages } = JSON.parse(Buffer.concat(parts).toString()) as {
        messages: { reference: string; recipient: string; payload: { text: string } }[];
      };
      for (const { reference, recipient, payload } of messages)
        this.received.set(recipient, { reference, code: payload.text.replace(/\D/g, '') });
      const results = messages.map(({ reference }) => ({ reference, result: 'accepted' }));
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ results }));
    });
  });

  async open(product: Product): Promise<void> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    const { port } = this.server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/messages`;
    await channel(product, NAME, 'http', ['viber', 'sms'], { url, secret: SECRET, maxBatch: 1000 });
  }

  async fail(product: Product, { phone }: Session): Promise<void> {
    const { reference } = this.received.get(phone)!;
    const at = new Date();
    const failed = { reference, status: 'failed', code: 'absent_subscriber', at };
    const url = `${product.base}/channels/${NAME}/statuses`;
    const answer = await fetch(url, { method: 'POST', ...signed([failed]) });
    if (!answer.ok) throw new Error(`a report was answered with ${answer.status}`);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

const calls = new Agent({ keepAlive: true, maxSockets: AT_A_TIME });
const polls = new Agent({ keepAlive: true, maxSockets: Infinity });

/** A call as a widget makes it, or with a token. */
function call(
  url: string,
  method: string,
  body?: object,
  { agent = calls, token }: { agent?: Agent; token?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: token }),
    };
    const asked = request(url, { method, agent, headers }, (answer) => {
      let text = '';
      answer.on('data', (part: Buffer) => (text += part.toString()));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({ status: answer.statusCode!, body: JSON.parse(text) as Answer['body'] }),
      );
    });
    asked.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close an idle connection at the moment in which it is used again.
      const isClosed = asked.reusedSocket && error.code === 'ECONNRESET';
      if (isClosed) resolve(call(url, method, body, { agent, token }));
      else reject(error);
    });
    asked.end(body && JSON.stringify(body));
  });
}

async function insist(
  product: Product,
  method: string,
  path: string,
  body?: object,
  token?: string,
) {
  const answer = await call(product.base + path, method, body, { token });
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  return answer.body;
}

/** Runs `one` over all items, so many at a time; per second. */
async function rate<T>(items: T[], one: (item: T, i: number) => Promise<unknown>): Promise<number> {
  const rest = items.entries();
  const started = performance.now();
  await Promise.all(
    Array.from({ length: AT_A_TIME }, async () => {
      for (const [i, item] of rest) await one(item, i);
    }),
  );
  return items.length / ((performance.now() - started) / 1000);
}

interface Told {
  status: string;
  type: string;
  version: string;
  at: number;
}

/** Polls as a widget does: again after a timeout. Answers with what came instead of `version`, and when. */
async function wait(product: Product, { id }: Session, version: string): Promise<Told> {
  const url = `${product.base}${HANDLER}/longPolling/${id}/channel?version=${version}`;
  for (;;) {
    const { status, body } = await call(url, 'GET', undefined, { agent: polls });
    if (status === 200) return { ...body, at: performance.now() } as Told;
    if (status !== 408) throw new Error(`a long poll was answered with ${JSON.stringify(body)}`);
  }
}
type Waiting = Promise<Told>;

async function widget(product: Product, token: string): Promise<string> {
  const put = (method: string, path: string, body: object) =>
    insist(product, method, `/n/otp-settings/${path}`, body, token);
  const { id } = await put('POST', 'widgets', { name: 'Bench', captchaIsRequired: false });
  const otpWidgetChannelSettings: object[] = [];
  for (const [priority, channelType] of ['viber', 'sms'].entries()) {
    const additionalSettings = { lifetime: 3600 };
    const made = await put('POST', 'channels', { name: 'One', channelType, additionalSettings });
    otpWidgetChannelSettings.push({ otpChannelSettingsId: made.id, priority });
  }
  await put('PUT', `widgets/${id as string}/channels/bulk`, { otpWidgetChannelSettings });
  return id as string;
}

/** Transactions of the database, each of a statement or more, since its start. */
async function transactions({ db }: Product): Promise<number> {
  const { rows } = await db.query<{ n: string }>(
    `select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()`,
  );
  return Number(rows[0]!.n);
}
async function transactionsMeanwhile(product: Product): Promise<number> {
  await sleep(PUBLISHED_MS);
  const before = await transactions(product);
  await sleep(WATCH_MS);
  return (await transactions(product)) - before;
}

const codeOf = (carrier: Carrier, { phone }: Session) => carrier.received.get(phone)!.code;
const confirm = (product: Product, carrier: Carrier, session: Session) =>
  insist(product, 'POST', `${HANDLER}/${session.id}/checkCode`, { code: codeOf(carrier, session) });

interface Latencies {
  confirmed: number[];
  changed: number[];
}
/** Milliseconds from the call that confirms, or the report that moves a session to its next channel, to the answer of the poll. */
async function latencies(
  product: Product,
  carrier: Carrier,
  sessions: Session[],
  waitingOf: (session: Session) => Promise<{ answer: Waiting }>,
): Promise<Latencies> {
  const taken: Latencies = { confirmed: [], changed: [] };
  for (const [i, session] of sessions.entries()) {
    const { answer } = await waitingOf(session);
    const started = performance.now();
    await (i % 2 ? carrier.fail(product, session) : confirm(product, carrier, session));
    let told = await answer;
    // The failed channel is told of before the next one.
    while (i % 2 && told.type !== 'sms') told = await wait(product, session, told.version);
    if (i % 2 === 0 && told.status !== 'confirmed') throw new Error(`woken by ${told.status}`);
    taken[i % 2 ? 'changed' : 'confirmed'].push(told.at - started);
  }
  return taken;
}

const spread = (values: number[]) =>
  `p50 ${say(percentile(values, 0.5))} ms, p99 ${say(percentile(values, 0.99))} ms`;

/** Widgets that wait, and what they wait for. Every one of them is told of the confirmation of its session. */
export const otpBench: Bench = {
  product: {
    env: {
      // Counted as ever, and not refused.
      OTP_ADDRESS_PER_HOUR: '1000000',
      OTP_PREFIX_PER_MINUTE: '1000000',
      OTP_UNCONFIRMED_PER_HOUR: '1000000',
      OTP_WIDGET_PER_MINUTE: '1000000',
      OTP_POLL_SECONDS: '55',
    },
  },
  async run(product) {
    const carrier = new Carrier();
    try {
      await carrier.open(product);
      return await measure(product, carrier);
    } finally {
      carrier.close();
      calls.destroy();
      polls.destroy();
    }
  },
};

async function measure(product: Product, carrier: Carrier): Promise<Row[]> {
  const tokens = await accounts(product, OWNERS);
  const widgets: string[] = [];
  for (const token of tokens) widgets.push(await widget(product, token));
  const sessions: Session[] = [];
  const create = async (i: number) => {
    const phone = `+79${2000 + (i % RANGES)}${10_000 + i}`;
    const { requestId } = await insist(product, 'POST', HANDLER, {
      widgetId: widgets[i % OWNERS],
      recipient: phone,
    });
    sessions.push({ id: requestId as string, phone });
  };
  const numbers = Array.from({ length: CLIENTS + 2 * EVENTS }, (_, i) => i);
  await rate(numbers.splice(0, EVENTS), create);
  const created = await rate(numbers, create);
  const single = await rate(numbers, (i) => {
    const content = { payload: { sender: 'MIRTEA', text: 'Code: 1234' } };
    const fallback = { type: 'sms', ...content, options: { onStatus: ['failed'] } };
    const recipient = `+7903${1_000_000 + i}`;
    const body = { type: 'viber', recipient, ...content, fallbacks: [fallback] };
    return insist(product, 'POST', '/sendings', body, tokens[i % OWNERS]);
  });
  await reached(
    'codes at the carrier',
    CLIENTS,
    () => sessions.filter(({ phone }) => carrier.received.has(phone)).length,
  );
  await reached('sent codes', 0, async () => {
    const { rows } = await product.db.query<{ n: number }>(
      `select -count(*)::int as n from batches where stage < 3`,
    );
    return rows[0]!.n;
  });

  await product.restartApi();
  const [api] = product.processes.filter(({ role }) => role === 'api');
  const { version } = (await insist(product, 'GET', `${HANDLER}/${sessions[0]!.id}/channel`)) as {
    version: string;
  };
  const idle = await transactionsMeanwhile(product);
  const idleMb = residentMb(api!.child.pid!);

  const aloneSessions = sessions.splice(0, EVENTS);
  const alone = await latencies(product, carrier, aloneSessions, async (session) => {
    const answer = wait(product, session, version);
    await sleep(50);
    return { answer };
  });

  const waiting = new Map<string, Waiting>();
  for (const [i, session] of sessions.entries()) {
    const answer = wait(product, session, version);
    // One that fails is told of when it is awaited.
    answer.catch(() => undefined);
    waiting.set(session.id, answer);
    if (i % AT_A_TIME === 0) await sleep(20);
  }
  const during = await transactionsMeanwhile(product);
  const waitingMb = residentMb(api!.child.pid!);
  const among = await latencies(product, carrier, sessions.slice(0, EVENTS), ({ id }) =>
    Promise.resolve({ answer: waiting.get(id)! }),
  );

  const rest = sessions.slice(EVENTS);
  const looked = await rate(rest, ({ id }) => insist(product, 'GET', `${HANDLER}/${id}/channel`));
  const checked = await rate(rest, (session) => confirm(product, carrier, session));
  for (const { id } of rest) {
    const { status } = await waiting.get(id)!;
    if (status !== 'confirmed') throw new Error(`a client was told ${status}`);
  }
  const usedMb = peakMb(api!.child.pid!) - idleMb;
  const statements = (during - idle) / sessions.length;
  if (statements > 0.05)
    throw new Error(
      `${sessions.length} waiting clients cost ${during} transactions, ${idle} without them`,
    );
  await product.verify();
  return [
    {
      bench: 'otp-memory',
      figure: `${say(usedMb)} MB more at most, ${say(waitingMb - idleMb)} MB while ${say(sessions.length)} clients wait`,
      reference: `${say(idleMb)} MB idle`,
      score: usedMb,
      accept: 300,
      aim: 300,
      atMost: true,
    },
    {
      bench: 'otp-statements',
      figure: `${during} transactions in ${WATCH_MS / 1000} s while ${say(sessions.length)} clients wait`,
      reference: `${idle} without them`,
      score: statements,
      accept: 0.05,
      aim: 0.01,
      atMost: true,
    },
    {
      bench: 'otp-wake, confirmed',
      figure: spread(among.confirmed),
      reference: `${spread(alone.confirmed)} for one client`,
      score: percentile(among.confirmed, 0.99),
      accept: 200,
      aim: 50,
      atMost: true,
    },
    {
      bench: 'otp-wake, next channel',
      figure: spread(among.changed),
      reference: `${spread(alone.changed)} for one client`,
      score: percentile(among.changed, 0.99),
      accept: 1000,
      aim: 200,
      atMost: true,
    },
    {
      bench: 'otp-create',
      figure: `${say(created)} sessions/s`,
      reference: `${say(single)} messages with a fallback/s`,
      score: created / single,
      accept: 0.3,
      aim: 0.5,
    },
    {
      bench: 'otp-check',
      figure: `${say(checked)} codes/s, each waking a client`,
      reference: `${say(looked)} looks at a session/s`,
      score: checked / looked,
      accept: 0.2,
      aim: 0.4,
    },
  ];
}
