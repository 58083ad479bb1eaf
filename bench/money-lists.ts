import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { measureRequests, of, type Ask, type ListRequest } from './lists.ts';
import { MONEY_WORLD, moneyWorld } from './money-world.ts';
import { dist, type Product } from './product.ts';
import { say, type Bench, type Row } from './rows.ts';

/** Lists of the money area over a million payments and five million entries, and how long `cli verify` of them takes. */
export const moneyListsBench: Bench = {
  product: { workers: 0 },
  async run(product) {
    await moneyWorld(product);
    const people = ['customer', 'reseller', 'manager', 'bench-failing'];
    const rows = await measureRequests(product, people, (ask) => requests(product, ask));
    return [...rows, verifyRow(product)];
  },
};

async function requests({ db }: Pick<Product, 'db'>, ask: Ask): Promise<ListRequest[]> {
  const one = async (sql: string) =>
    (await db.query<{ v: string }>(`select (${sql})::text as v`)).rows[0]!.v;
  const kept = await one(`select id from users where username = 'bench-customer-500'`);
  const recurrent = await one(
    `select recurrent_payment_id from payments where recurrent_payment_id is not null limit 1`,
  );
  const last = (await ask('/payments?$limit=200')).data.at(-1)!.id;
  const day = (n: number) => new Date(Date.now() - n * 86_400_000).toISOString();
  const range = `createdAt[$gt]=${day(60)}&createdAt[$lt]=${day(53)}`;
  const statuses = ['init', 'completed', 'refundRequested', 'refunded', 'partialRefunded', 'error'];
  const byAmount = (direction: string) => `$order[0][0]=amount&$order[0][1]=${direction}`;
  const sorted = [byAmount('desc'), byAmount('asc')];
  const orders = ['', ...sorted];
  const payments = [
    ...combined([named('status', statuses), named('method', ['tinkoff', 'stripe']), orders]),
    'status=refunded&status=error',
    `id=${last}`,
    `RecurrentPaymentId=${recurrent ?? last}`,
    ...combined([[range], named('status', ['partialRefunded', 'error']), orders]),
    '$offset=9984',
    `$offset=9984&${sorted[0]}`,
  ];
  const recurrents = [
    '',
    ...['block', 'error', 'init', 'pause', 'ready'].map((status) => `status=${status}`),
    'type=threshold',
    range,
    ...sorted,
  ];
  const entries = combined([
    named('source', [
      'accrual',
      'subtract',
      'transfer',
      'sendings.sms',
      'sendings.viber',
      'sendings.telegram',
    ]),
    named('status', ['pending', 'complete', 'refunded', 'invalid']),
  ]);
  const ofRange = combined([[range], named('source', ['accrual', 'sendings.viber'])]);
  const invoices = [
    ...combined([named('status', ['pending', 'paid', 'rejected']), orders]),
    'type=act',
    'docNumber=2026-050000',
    range,
  ];
  const all = ['customer', 'reseller', 'manager'];
  const asked = (base: string, queries: string[], who = all) =>
    who.flatMap((name) => queries.map((query) => of(name, base)(query)));
  return [
    ...asked('/payments', payments),
    ...asked('/payments', combined([[`OwnerId=${kept}`], named('status', ['error']), orders]), [
      'reseller',
      'manager',
    ]),
    ...asked(
      '/billings',
      combined([[`OwnerId=${kept}`], named('source', ['accrual', 'sendings.sms']), orders]),
      ['reseller', 'manager'],
    ),
    ...asked(
      '/payments',
      ['', 'status=completed', 'status=error', byAmount('desc')],
      ['bench-failing'],
    ),
    ...asked('/recurrentPayments', recurrents),
    ...asked('/billings', [
      ...combined([[...entries, ...ofRange], orders]),
      '$offset=9984',
      `$offset=9984&${sorted[0]}`,
    ]),
    ...asked('/billings/totals', [...entries, ...ofRange]),
    ...asked('/n/invoices', invoices),
  ];
}

/** No filter, or one of the values. */
const named = (name: string, values: string[]) => [
  '',
  ...values.map((value) => `${name}=${value}`),
];

/** Each combination of one of each. */
const combined = (choices: string[][]): string[] =>
  choices.reduce((all, some) =>
    all.flatMap((one) => some.map((other) => [one, other].filter(Boolean).join('&'))),
  );

function verifyRow({ env }: Product): Row {
  const started = performance.now();
  try {
    execFileSync(process.execPath, [join(dist, 'cli.js'), 'verify'], { env, stdio: 'pipe' });
  } catch (error) {
    // The made rows have no balances and tasks; what is measured is the time.
    console.log(String((error as { stdout?: Buffer }).stdout).trim());
  }
  const seconds = (performance.now() - started) / 1000;
  const rows = MONEY_WORLD.payments + MONEY_WORLD.entries;
  return {
    bench: 'verify',
    figure: `${say(seconds)} s for ${say(rows)} payments and entries`,
    score: seconds,
    accept: 120,
    aim: 60,
    atMost: true,
  };
}
