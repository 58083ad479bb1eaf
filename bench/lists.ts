import { LISTS_WORLD, listsWorld } from './lists-world.ts';
import type { Product } from './product.ts';
import { median, type Bench, type Row } from './rows.ts';

/** How often a list is asked for after its first time. */
const TIMES = 9;
/** What is as slow as this altogether need not be asked so often. */
const PATIENCE_MS = 1500;
const ACCEPT_MS = 50;
const AIM_MS = 10;

interface Page {
  data: { id: string }[];
  total: number;
  totalIsCapped?: boolean;
}
export type Ask = (path: string) => Promise<Page>;

/** A list request, its caller, and the expected number of rows if known: a fast wrong answer does not count. */
export interface ListRequest {
  who: string;
  path: string;
  total?: number;
}

export const listsBench: Bench = {
  product: { workers: 0 },
  async run(product) {
    await listsWorld(product);
    return measureLists(product);
  },
};

/** Every list over the filled database, each through the API, one request after another. */
export async function measureLists(
  product: Pick<Product, 'db' | 'base'>,
  isWanted: (request: ListRequest) => boolean = () => true,
): Promise<Row[]> {
  const people = ['customer', 'reseller', 'manager', LISTS_WORLD.failing, LISTS_WORLD.delivering];
  return measureRequests(product, people, async (ask) =>
    (await requests(product, ask)).filter(isWanted),
  );
}

/** `requests` is given the calls of the first of the people. */
export async function measureRequests(
  { base }: Pick<Product, 'base'>,
  people: string[],
  requests: (ask: Ask) => Promise<ListRequest[]>,
): Promise<Row[]> {
  const ask: Record<string, Ask> = {};
  for (const name of people) ask[name] = await signedIn(base, name);
  const rows: Row[] = [];
  for (const request of await requests(ask[people[0]!]!))
    rows.push(await measure(request, ask[request.who]!));
  return rows;
}

export const of =
  (who: string, base: string) =>
  (query: string, total?: number): ListRequest => ({ who, path: `${base}?${query}`, total });

async function measure({ who, path, total }: ListRequest, ask: Ask): Promise<Row> {
  const times: number[] = [];
  for (let i = 0; i <= TIMES && (i < 3 || sum(times) < PATIENCE_MS); i++) {
    const started = performance.now();
    const page = await ask(path).catch((error: unknown) => {
      console.log(String(error));
      return undefined;
    });
    times.push(performance.now() - started);
    // One that exceeds its time limit is a figure, too.
    if (!page) break;
    if (total !== undefined && page.total !== total)
      throw new Error(`${who} ${path}: ${page.total} rows instead of ${total}`);
  }
  const [first, ...more] = times;
  const others = more.length ? more : [first!];
  const score = median(others);
  return {
    bench: 'lists',
    figure: `${who} ${decodeURIComponent(path)}: best ${ms(Math.min(...others))}, p50 ${ms(score)}, worst ${ms(Math.max(...others))}`,
    reference: `first ${ms(first!)}`,
    score,
    accept: ACCEPT_MS,
    aim: AIM_MS,
    atMost: true,
  };
}

async function requests({ db }: Pick<Product, 'db'>, ask: Ask): Promise<ListRequest[]> {
  const one = async (sql: string) =>
    (await db.query<{ v: string }>(`select (${sql})::text as v`)).rows[0]!.v;
  const customer = await one(`select id from users where username = 'customer'`);
  const kept = await one(`select id from users where username = 'bench-customer-500'`);
  const task = await one(
    `select task_id from batches where owner_id = '${customer}' and channel = 'bench' and task_id is not null order by id limit 1`,
  );
  const phone = await one(
    `select phone from sendings where group_id = '${task}' order by id limit 1`,
  );
  const list = await one(`select id from contact_lists where title = 'Bench'`);
  const contact = await one(
    `select phone from contacts where list_id = '${list}' offset 500000 limit 1`,
  );
  const day = (n: number) => new Date(Date.now() - n * 86_400_000).toISOString();
  const week = `createdAt[$gt]=${day(20)}&createdAt[$lt]=${day(13)}`;
  const last = (await ask('/sendings?$limit=200')).data.at(-1)!.id;
  const e = encodeURIComponent;
  const mine = of('customer', '/sendings');
  const failing = of(LISTS_WORLD.failing, '/sendings');
  const delivering = of(LISTS_WORLD.delivering, '/sendings');
  const statuses = ['pending', 'paused', 'processing', 'sent', 'delivered', 'seen', 'failed'];
  const outcomes = ['pending', 'delivered', 'failed', 'cancelled'];
  const common = [
    `outcome=failed`,
    `status=failed`,
    `status=seen`,
    `status=processing`,
    `type=flashcall`,
    `type=telegram`,
    `recipient=${e(phone)}`,
    `recipient=${e('+7900')}`,
    `recipient=4567`,
  ];
  const { rows: segments } = await db.query<{ id: string }>('select id from segments order by id');
  const entries = of('customer', '/billings');
  const contacts = of('customer', '/contacts');
  return [
    mine(''),
    ...statuses.map((s) => mine(`status=${s}`)),
    ...outcomes.map((o) => mine(`outcome=${o}`)),
    mine(`groupId=${task}&outcome=failed`),
    mine('status=delivered&status=seen'),
    mine('status=pending&status=sent&status=failed'),
    ...['sms', 'voice', 'flashcall'].map((t) => mine(`type=${t}`)),
    mine('type=telegram', 0),
    mine('type=viber&status=failed'),
    mine('type=voice&status=seen', 0),
    mine(`type=flashcall&status=failed`),
    mine(`groupId=${task}`),
    mine(`groupId=${task}&status=failed`),
    mine(`groupId=${task}&status=sent`, 0),
    mine(`chainId=${last}`, 1),
    mine(week),
    mine(`${week}&status=failed&type=viber`),
    mine(`${week}&type=telegram`, 0),
    mine(`${week}&status=seen`),
    mine(`recipient=${e(phone)}`, 1),
    mine(`recipient=${e('+79161')}`),
    mine(`recipient=${e('+79161')}&status=failed`),
    mine(`recipient=${e('+7800')}`, 0),
    mine(`recipient=4567`),
    mine('$offset=9984'),
    mine(`cursor=${last}`),
    mine(`$search=${e('+79161')}`),
    mine(`OwnerId=${customer}`),
    failing(''),
    ...statuses.map((s) => failing(`status=${s}`, s === 'failed' ? 10_000 : 0)),
    ...outcomes.map((o) => failing(`outcome=${o}`, o === 'failed' ? 10_000 : 0)),
    delivering(''),
    ...statuses.map((s) => delivering(`status=${s}`, s === 'delivered' ? 10_000 : 0)),
    ...outcomes.map((o) => delivering(`outcome=${o}`, o === 'delivered' ? 10_000 : 0)),
    ...['reseller', 'manager'].flatMap((who) => {
      const asked = of(who, '/sendings');
      return [
        asked(''),
        ...common.map((q) => asked(q)),
        asked(`OwnerId=${kept}`),
        asked(`OwnerId=${kept}&status=seen`),
        asked(`OwnerId=${customer}&type=telegram`, 0),
      ];
    }),
    entries(''),
    ...['complete', 'refunded', 'pending', 'invalid'].map((s) => entries(`status=${s}`)),
    ...['accrual', 'subtract', 'sendings.sms', 'sendings.flashcall', 'sendings.telegram'].map((s) =>
      entries(`source=${s}`),
    ),
    entries(`source=sendings.viber&status=refunded`),
    entries(week),
    entries(`${week}&status=invalid`, 0),
    entries(`id=${last}`, 1),
    entries(`TariffId=${customer}`, 0),
    of(LISTS_WORLD.failing, '/billings')('status=complete', 0),
    ...['reseller', 'manager'].flatMap((who) =>
      ['', 'status=invalid', 'source=accrual', 'source=sendings.telegram', `OwnerId=${kept}`].map(
        (q) => of(who, '/billings')(q),
      ),
    ),
    contacts(`ListId=${list}`),
    contacts(`ListId=${list}&$offset=9984`),
    ...['phone', 'lastName', 'updatedAt'].map((f) => contacts(`ListId=${list}&$order[0][0]=${f}`)),
    contacts(`ListId=${list}&$search=${e(contact)}`, 1),
    contacts(`ListId=${list}&phone=${e(contact)}`, 1),
    ...[
      '4567',
      '123456',
      'Анна',
      'Иванов17',
      'Сидоров1234 Вера',
      'person3000@',
      'mail.example',
    ].map((s) => contacts(`ListId=${list}&$search=${e(s)}`)),
    ...['Несуществующая', 'unknown@', '7800555123'].map((s) =>
      contacts(`ListId=${list}&$search=${e(s)}`, 0),
    ),
    ...['regular', 'vip', 'nothing'].map((tag) => contacts(`ListId=${list}&tag=${tag}`)),
    ...segments.map(({ id }) => of('customer', `/segments/${id}/count`)('')),
    ...['', '$search=answer 77', `from=${e(phone)}`, '$search=nothing', 'type=viber', week].map(
      (q) => of('customer', '/sendingsIncoming')(q),
    ),
    ...['', 'type=viber'].map((q) => of('reseller', '/sendingsIncoming')(q)),
    ...[
      '',
      'state=paused',
      'state=failed',
      '$search=Campaign 77',
      '$search=nothing',
      '$order[0][0]=title',
      week,
    ].map((q) => of('customer', '/tasks')(q)),
    ...['', 'state=failed'].flatMap((q) =>
      ['reseller', 'manager'].map((who) => of(who, '/tasks')(q)),
    ),
    ...['', '$search=List 2', '$search=nothing'].map((q) => of('customer', '/contactLists')(q)),
    ...['', '$search=offer 77', 'type=viber'].map((q) => of('customer', '/templates')(q)),
    ...[
      '',
      '$search=bench-customer-77',
      `$search=${e('Фамилия500')}`,
      '$search=nothing',
      '$order[0][0]=balance',
      'isActive=false',
    ].flatMap((q) => ['reseller', 'manager'].map((who) => of(who, '/users')(q))),
  ];
}

async function signedIn(base: string, username: string): Promise<Ask> {
  const login = await fetch(`${base}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: 'heliograph' }),
  });
  const { token } = (await login.json()) as { token: string };
  return async (path) => {
    const answer = await fetch(base + path.replaceAll(' ', '%20'), {
      headers: { authorization: token },
    });
    const page = (await answer.json()) as Page;
    if (!answer.ok)
      throw new Error(`${username} GET ${path}: ${answer.status} ${JSON.stringify(page)}`);
    return page;
  };
}

const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);
const ms = (n: number) => `${n.toFixed(n < 10 ? 1 : 0)} ms`;
