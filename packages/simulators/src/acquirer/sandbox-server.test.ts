import { expect, test } from 'vitest';
import type { SandboxPayment, SandboxView } from './sandbox-payment.ts';
import { SandboxServer } from './sandbox-server.ts';

test('a bank that answers late does so by the clock, also when its timer ends a moment early', async () => {
  const payments = new Map<string, SandboxPayment>();
  const told: SandboxView[] = [];
  const timers: { ms: number; run: () => void }[] = [];
  let now = 1_000_000;
  const server = new SandboxServer({
    store: {
      byId: (id) => Promise.resolve(payments.get(id)),
      byReference: () => Promise.resolve(undefined),
      add: (payment) => Promise.resolve(!!payments.set(payment.id, payment)),
      change(id, change) {
        const before = payments.get(id)!;
        const after = change(before);
        if (after) payments.set(id, after);
        return Promise.resolve({ before, after });
      },
    },
    newId: () => 'p1',
    now: () => now,
    baseUrl: 'https://bank.example',
    isAuthorized: () => true,
    notify: (_url, view) => void told.push(view),
    later: (ms, run) => void timers.push({ ms, run }),
  });
  const post = (path: string, body: Record<string, unknown>) =>
    server.respond({ method: 'POST', path, query: {}, headers: {}, body } as never);
  await post('/payments', {
    reference: 'r1',
    amount: '10.00',
    currency: 'RUB',
    description: 'Top-up',
    notifyUrl: 'https://shop.example/notify',
    successUrl: 'https://shop.example/yes',
    failUrl: 'https://shop.example/no',
  });
  await post('/pay/p1', { card: '4000000000000259' });
  /** Lets the next timer end so much before its time. */
  const end = async (early: number) => {
    const { ms, run } = timers.shift()!;
    now += ms - early;
    run();
    await new Promise(setImmediate);
  };
  await end(1);
  expect(payments.get('p1')).toMatchObject({ status: 'pending' });
  expect(told).toEqual([]);
  await end(0);
  expect(payments.get('p1')).toMatchObject({ status: 'paid', paidAt: null });
  expect(told).toMatchObject([{ reference: 'r1', status: 'paid' }]);
  expect(timers).toEqual([]);
});
