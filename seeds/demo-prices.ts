import { TYPES } from './demo-traffic.ts';

type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

type Prices = [type: keyof typeof TYPES, destination: string, price: number][];

const FORMER: Prices = [
  ['sms', '25001', 2.35],
  ['sms', '25002', 1.98],
  ['sms', '25020', 2.1],
  ['sms', '25099', 2.2],
  ['sms', 'RU', 2.6],
  ['sms', 'KZ', 8.4],
  ['viber', '*', 1.15],
  ['whatsapp', '*', 3.1],
  ['email', '*', 0.02],
];
/** One network has become dearer than what its messages are sold for. Codes in Telegram have no price: not everything is known. */
const CURRENT: Prices = [
  ...FORMER.filter(([, destination]) => destination !== '25002' && destination !== '25020'),
  ['sms', '25002', 2.725],
  ['sms', '25020', 2.04],
  ['flashcall', 'RU', 0.62],
];
const PLANNED: Prices = CURRENT.map(([type, destination, price]) => [
  type,
  destination,
  type === 'viber' ? 1.2 : price,
]);

/** Price lists of the built-in carrier: a former one, the one in force and a planned one. Invented, in roubles. A list that begins on the day of one stays. */
export async function seedPrices(query: Query, manager: string): Promise<void> {
  const lists = [
    { days: -120, prices: FORMER },
    { days: -30, prices: CURRENT },
    { days: 20, prices: PLANNED },
  ];
  for (const { days, prices } of lists)
    await query(
      `with list as (
         insert into price_lists (channel, currency, valid_from, created_by, created_at)
         values ('simulator', 'RUB', date_trunc('day', now()) + make_interval(days => $1), $2, least(now(), date_trunc('day', now()) + make_interval(days => $1 - 2)))
         on conflict do nothing returning id)
       insert into purchase_prices (list_id, type, destination, price)
       select list.id, p.* from list, unnest($3::smallint[], $4::text[], $5::numeric[]) p`,
      [
        days,
        manager,
        prices.map(([type]) => TYPES[type]),
        prices.map(([, destination]) => destination),
        prices.map(([, , price]) => price),
      ],
    );
}
