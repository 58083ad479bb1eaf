import { ADMINISTRATOR_GRANTS, tariffs, type TariffInput } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approve, finished, problems, setCarrier } from '../../../../test/factories.ts';
import { raw } from '../../../../test/raw.ts';
import { randomBy } from '../../../../test/random.ts';
import { type Person, World } from '../../../../test/world.ts';
import type { Actor } from '../../../core/auth/actor.ts';
import { ProbeController } from './probe.controller.ts';

const SEED = 20_261_127;
const BULKS = 4;
const RECIPIENTS = 250;

let world: World;
let administrator: Person;
let owner: Person;

beforeAll(async () => {
  world = await World.start();
  await setCarrier(world, {});
  await world.startWorker();
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
  owner = await world.person({ balance: 10_000_000 });
  for (const sender of SENDERS) await approve(world, owner.id, sender);
});
afterAll(() => world.stop());

const random = randomBy(SEED);

const SENDERS = ['MIRTEA', 'BEACON'];
const WORDS = ['Anna', 'sale', 'чай', 'Ёлка', '50', 'teapot', 'x'.repeat(90), 'ы'.repeat(80)];
const PREFIXES = ['+7916', '+7926', '+7903', '+7950', '+7958', '+7777', '+37529', '+4915'];
const NETWORKS = ['25001', '25002', '25020', '25099', '250*', '401*', '257*', '262*'];

const conditionsOf = (lists: string[]): TariffInput['rules'][number]['conditions'] => {
  const values = {
    type: ['sms', 'viber'],
    sender: SENDERS,
    text: ['an', 'ЧАЙ', '5'],
    keywords: WORDS.slice(0, 5),
    recipient: ['+7', '+79', '+7916', '+37', '+4'],
    contactList: lists,
    group: ['service', 'advertising'],
    mccmnc: NETWORKS,
  };
  const tags = Object.keys(values) as (keyof typeof values)[];
  const chosen = new Set(Array.from({ length: random.below(4) }, () => random.of(tags)));
  return [...chosen].map((tag) => ({
    tag,
    value: random.below(2)
      ? random.of(values[tag])
      : [random.of(values[tag]), random.of(values[tag])],
  }));
};

const rulesFor = (lists: string[]): TariffInput['rules'] =>
  Array.from({ length: 12 }, () => {
    const action = random.below(3) ? ('increase' as const) : ('decrease' as const);
    return {
      action,
      // What several rules take off leaves most of a price.
      price: random.below(action === 'increase' ? 30_000 : 1000) / 10_000,
      conditions: conditionsOf(lists),
      priority: random.below(4),
    };
  });

/** Rising, and few enough that bulks cross them. */
const stepsFor = (): TariffInput['volumeSteps'] => [
  { from: 5 + random.below(20), percent: 1 + random.below(30) },
  { from: 30 + random.below(40), percent: 31 + random.below(60) },
];

async function people(): Promise<string> {
  const [list] = await world.db.query<{ id: string }>(
    `insert into contact_lists (owner_id, title, type, count) values ($1, 'People', 'regular', $2) returning id`,
    [owner.id, RECIPIENTS],
  );
  const rows = Array.from({ length: RECIPIENTS }, (_, n) => {
    const prefix = random.of(PREFIXES);
    const rest = String(1_000_000 + n * 7).padStart(12 - prefix.length, '2');
    return {
      phone: `${prefix}${rest}`.slice(0, 14),
      name: `${random.of(WORDS)} ${random.of(WORDS)}`,
    };
  });
  await world.db.query(
    `insert into contacts (list_id, phone, first_name) select $1, p, n from unnest($2::text[], $3::text[]) u (p, n)`,
    [list!.id, rows.map(({ phone }) => phone), rows.map(({ name }) => name)],
  );
  return list!.id;
}

interface Billed {
  type: 'sms' | 'viber';
  sender: string;
  phone: string;
  text: string | null;
  amount: number | null;
  price: number[] | null;
  TariffId: string | null;
  version: number | null;
  units: number | null;
  step: number | null;
}

test('the probe is what the bill says, with the same tariff and version, for a thousand random messages', async () => {
  const lists: string[] = [];
  for (let n = 0; n < BULKS; n++) lists.push(await people());
  const given: { id: string; priority: number }[] = [];
  for (let n = 0; n < 4; n++) {
    const base = {
      title: `Random ${n}`,
      source: random.of(['any', 'any', 'sms']),
      isDefault: false,
      volumeSteps: stepsFor(),
    };
    const { id } = await administrator.api(tariffs.create, {
      body: { ...base, rules: rulesFor(lists) },
    });
    if (n % 2)
      await administrator.api(tariffs.replace, {
        params: { id },
        body: { ...base, rules: rulesFor(lists) },
      });
    given.push({ id, priority: random.below(2) });
  }
  await administrator.api(tariffs.assign, { params: { id: owner.id }, body: { tariffs: given } });
  const probes = world.api.get(ProbeController);
  const actor = { OwnerId: owner.id, permissions: {} } as Actor;
  let cases = 0;
  let priced = 0;
  let paid = 0;
  const steps = new Set<number>();
  /** Units that each tariff has billed. */
  const units = new Map<string | null, number>();
  for (const [n, list] of lists.entries()) {
    const type = n % 2 ? 'viber' : 'sms';
    const { status, json } = await raw(world, owner, 'POST', '/sendings', {
      type,
      payload: { sender: random.of(SENDERS), text: '{firstName|friend}' },
      recipient: { include: [list] },
    });
    expect([status, json.code]).toEqual([201, undefined]);
    await finished(owner, json.id);
    const billed = await world.db.query<Billed>(
      `select $2 as type, s.sender, s.phone, s.body as text, (-b.amount)::float8 as amount, b.price::float8[] as price,
              b.tariff_id as "TariffId", b.tariff_version as version, b.multiplier as units, b.volume_step as step
         from sendings s left join billings b on b.id = s.id where s.group_id = $1 order by s.id`,
      [json.id, type],
    );
    for (const { sender, phone, text, units: parts, step, ...bill } of billed) {
      const before = units.get(bill.TariffId) ?? 0;
      const body = {
        volume: before,
        type: bill.type,
        sender,
        recipient: phone,
        text: text ?? '',
        contactLists: [list],
      };
      const { amount, price, rules, volume } = await probes.probe(actor, { body } as never);
      const [base] = rules;
      const probed = {
        type: bill.type,
        amount,
        price,
        TariffId: base?.TariffId ?? null,
        version: base?.version ?? null,
      };
      expect([SEED, body, bill]).toEqual([SEED, body, probed]);
      // A message that costs nothing is not billed.
      if (bill.amount) units.set(bill.TariffId, before + parts!);
      expect([body, step !== null]).toEqual([body, !!volume]);
      cases += 1;
      if (price) priced += 1;
      if (amount) paid += 1;
      if (step !== null) steps.add(step);
    }
  }
  expect(cases).toBe(BULKS * RECIPIENTS);
  expect(priced).toBeGreaterThan(cases / 4);
  expect(paid).toBeGreaterThan(priced / 2);
  expect([...steps].toSorted()).toEqual([0, 1, 2]);
  expect(await problems(world)).toEqual([]);
});
