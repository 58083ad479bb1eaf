import { expect, test } from 'vitest';
import { loadConfig } from './config.ts';

const load = (env: Record<string, string>) =>
  loadConfig({ DATABASE_URL: 'postgres://x', REDIS_URL: 'redis://x', DEMO: '0', ...env });
const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_12' };
const TINKOFF = { TINKOFF_TERMINAL_KEY: 'Terminal', TINKOFF_PASSWORD: 'password' };

test.each<[Record<string, string>, string[], string[]]>([
  [{}, [], []],
  [STRIPE, ['stripe'], ['stripe']],
  [{ ...STRIPE, ...TINKOFF }, ['stripe', 'tinkoff'], ['stripe', 'tinkoff']],
  [{ ...STRIPE, ...TINKOFF, PAYMENT_METHODS: 'tinkoff' }, ['tinkoff'], ['stripe', 'tinkoff']],
  [{ ...STRIPE, DEMO: '1' }, ['sandbox', 'stripe'], ['sandbox', 'stripe']],
  [{ PAYMENT_METHODS: 'sandbox', DEMO: '1' }, ['sandbox'], ['sandbox']],
  [{ PAYMENT_METHODS: 'sandbox', DEMO: 'auto', HOST: '127.0.0.1' }, ['sandbox'], ['sandbox']],
  [
    { PAYMENT_METHODS: 'sandbox', PAYMENT_SANDBOX_URL: 'http://acquirer.example' },
    ['sandbox'],
    ['sandbox'],
  ],
])('%j offers %j, and has %j', (env, offered, had) => {
  const { paymentMethods, acquirers } = load(env);
  expect([paymentMethods, acquirers]).toEqual([offered, had]);
});

test.each<[Record<string, string>, string]>([
  [{ STRIPE_SECRET_KEY: 'sk_test_1' }, 'STRIPE_WEBHOOK_SECRET: must be set'],
  [{ STRIPE_WEBHOOK_SECRET: 'whsec_12' }, 'STRIPE_SECRET_KEY: must be set'],
  [{ PAYMENT_METHODS: 'stripe' }, 'STRIPE_SECRET_KEY: must be set'],
  [{ TINKOFF_TERMINAL_KEY: 'Terminal' }, 'TINKOFF_PASSWORD: must be set'],
  [{ PAYMENT_METHODS: 'tinkoff', ...STRIPE }, 'TINKOFF_TERMINAL_KEY: must be set'],
  [{ ...TINKOFF, TINKOFF_TAXATION: 'all' }, 'TINKOFF_TAXATION: '],
  [{ ...STRIPE, STRIPE_CURRENCIES: 'EUR,XXZ' }, 'STRIPE_CURRENCIES: '],
  [{ PAYMENT_METHODS: 'sandbox' }, 'PAYMENT_SANDBOX_URL: must be set'],
  [{ PAYMENT_METHODS: 'stripe,sandbox', ...STRIPE }, 'PAYMENT_SANDBOX_URL: must be set'],
  [{ PAYMENT_METHODS: 'mandarin' }, 'PAYMENT_METHODS: '],
])('refuses %j at the start, and does not show secrets', (env, problem) => {
  expect(() => load(env)).toThrow(problem);
  expect(() => load(env)).not.toThrow(/sk_test_1|whsec_12/);
});
