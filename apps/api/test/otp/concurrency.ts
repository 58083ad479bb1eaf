import { otpHandler } from '@heliograph/contract';
import { beforeAll, expect, test } from 'vitest';
import { contactList } from '../factories.ts';
import { otpSent, otpWidget } from '../otp.ts';
import { type Person, type World } from '../world.ts';
import { at, errorOf, from, refusal, wrong, type OtpScene } from './scene.ts';

interface CodeRequest {
  widgetId: string;
  recipient: string;
  ip?: string;
}
interface Spent {
  sessions: number;
  messages: number;
  charges: number;
  spent: string;
}

const BALANCE = 1000;
const OF_ADDRESS = 5;

/** Requests that share transactions, in two API processes. */
export function concurrencyTests(scene: OtpScene): void {
  const { newPhone, sql } = scene;
  let world: World;
  let bases: string[];
  let addresses = 0;
  beforeAll(async () => {
    ({ world } = scene);
    bases = [];
    for (let i = 0; i < 2; i++)
      bases.push((await world.startApi({ OTP_ADDRESS_PER_HOUR: OF_ADDRESS })).base);
  });
  const visitor = (i: number) => world.client(undefined, bases[i % 2]);
  const ask = ({ widgetId, recipient, ip }: CodeRequest, i: number) =>
    visitor(i)(otpHandler.create, {
      body: { widgetId, recipient },
      headers: from(ip ?? `10.9.0.${addresses++}`),
    });
  const times = <T>(count: number, one: () => T): T[] => Array.from({ length: count }, one);
  /** The start of the windows of all limits. */
  const forwardToDay = () => {
    const day = 86_400;
    world.clock.forward(day - ((world.clock.now().getTime() / 1000) % day) + 1);
  };
  const spentBy = async ({ OwnerId }: Person): Promise<Spent> => {
    const [row] = await sql<Spent>(
      `select (select count(*)::int from otp_sessions o join sendings s on s.id = o.chain_id where o.owner_id = $1) as sessions,
              (select count(*)::int from sendings where owner_id = $1) as messages,
              (select count(*)::int from billings where owner_id = $1 and source > 0) as charges,
              (select (-sum(amount))::text from billings where owner_id = $1 and source > 0) as spent`,
      [OwnerId],
    );
    return row!;
  };
  const balanceOf = async ({ OwnerId }: Person): Promise<string> => {
    const [row] = await sql<{ balance: string }>(
      `select balance::text from balances where owner_id = $1`,
      [OwnerId],
    );
    return row!.balance;
  };

  test('refused requests of codes count and cost nothing, and harm no other', async () => {
    const [first, second] = [await world.person(), await world.person()];
    const widgets = [await otpWidget(first), await otpWidget(first), await otpWidget(second)];
    forwardToDay();
    // Three sessions without a confirmation, after which the wait grows.
    const cooling = newPhone();
    for (let i = 0; i < 3; i++)
      await ask({ widgetId: widgets[2]!, recipient: cooling, ip: '10.8.0.2' }, i);
    const price = Number((await spentBy(second)).spent) / 3;
    const poor = await world.person({ balance: price * 2 });
    const poorWidget = await otpWidget(poor);
    await contactList(world, first.OwnerId, 1, { first: 777, type: 'blacklist' });
    world.clock.forward(120);
    await sql(`delete from otp_counters`);

    const repeated = newPhone();
    const spread = newPhone();
    const groups: Record<string, CodeRequest[]> = {
      good: times(10, () => ({ widgetId: widgets[0]!, recipient: newPhone() })),
      repeated: times(5, () => ({ widgetId: widgets[1]!, recipient: repeated, ip: '10.8.0.3' })),
      spread: times(10, () => ({ widgetId: widgets[1]!, recipient: spread })),
      cooling: times(4, () => ({ widgetId: widgets[2]!, recipient: cooling, ip: '10.8.0.2' })),
      poor: times(5, () => ({ widgetId: poorWidget, recipient: newPhone() })),
      blacklisted: [{ widgetId: widgets[0]!, recipient: '+79020000778' }],
      address: times(8, () => ({
        widgetId: widgets[2]!,
        recipient: newPhone(),
        ip: '10.8.0.1',
      })),
    };
    // Interleaved.
    const requests = times(10, () => null).flatMap((_, i) =>
      Object.entries(groups).flatMap(([group, all]) => (all[i] ? { group, ...all[i] } : [])),
    );
    const outcomes: Record<string, Record<string, number>> = {};
    await Promise.all(
      requests.map(async ({ group, ...request }, i) => {
        const type = (await errorOf(ask(request, i))) ?? 'started';
        const counts = (outcomes[group] ??= {});
        counts[type] = (counts[type] ?? 0) + 1;
      }),
    );

    expect(outcomes).toEqual({
      good: { started: 10 },
      repeated: { started: 3, RateLimitException: 2 },
      // From a network each: as many as in three.
      spread: { started: 9, RateLimitException: 1 },
      cooling: { started: 1, RateLimitException: 3 },
      poor: { started: 2, NoAvailableChannelsException: 3 },
      blacklisted: { NoAvailableChannelsException: 1 },
      address: { started: OF_ADDRESS, RateLimitException: 8 - OF_ADDRESS },
    });
    const started = { first: 13 + 9, second: 3 + 1 + OF_ADDRESS, poor: 2 };
    for (const [person, sessions, balance] of [
      [first, started.first, BALANCE],
      [second, started.second, BALANCE],
      [poor, started.poor, price * 2],
    ] as const) {
      const { spent, ...counts } = await spentBy(person);
      expect(counts).toEqual({ sessions, messages: sessions, charges: sessions });
      expect(Number(spent)).toBeCloseTo(price * sessions, 6);
      expect(Number(await balanceOf(person))).toBeCloseTo(balance - price * sessions, 6);
    }
    // Each session under its number, with and without its network, for a minute and a day, and as unconfirmed in three ranges; each request under its range, widget and address.
    const [counted] = await sql<{ sum: number }>(`select sum(count)::int as sum from otp_counters`);
    const sessions = started.first + started.second - 3 + started.poor;
    expect(counted!.sum).toBe(7 * sessions + 3 * (requests.length - (8 - OF_ADDRESS)));
  });

  test('codes that come at once are each counted before they are compared', async () => {
    const owner = await world.person();
    const widgetId = await otpWidget(owner, ['viber'], {}, { numberOfTries: 5 });
    const enter = (id: string, code: string, i: number) =>
      refusal(visitor(i)(otpHandler.checkCode, { ...at(id), body: { code } }));
    const sessions: { id: string; code: string }[] = [];
    for (let i = 0; i < 6; i++) sessions.push(await otpSent(world, widgetId, newPhone()));
    const { id: attacked, code } = sessions.pop()!;
    const [guesses, ...others] = await Promise.all([
      Promise.all(
        times(15, () => null).map((_, i) => enter(attacked, i === 3 ? code : wrong(code), i)),
      ),
      ...sessions.map(({ id, code: right }, i) =>
        Promise.all([enter(id, wrong(right), i), enter(id, right, i + 1)]),
      ),
    ]);
    // A wrong code beside the right one takes nothing from it.
    for (const [, ofRight] of others) expect(ofRight).toBeUndefined();
    const compared = guesses!.filter((one) => !one || one.type === 'InvalidCodeException');
    const [row] = await sql<{ tries: number; state: number }>(
      `select tries, state from otp_sessions where id = $1`,
      [attacked],
    );
    expect(row!.tries).toBe(compared.length);
    expect(row!.tries).toBeLessThanOrEqual(5);
    expect(row!.state === 1).toBe(guesses!.includes(undefined));
    const remaining = compared.flatMap((one) =>
      one ? [(one.payload as { remainingCodeAttempts: number }).remainingCodeAttempts] : [],
    );
    expect(new Set(remaining).size).toBe(remaining.length);
  });
}
