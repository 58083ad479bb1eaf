import type { SandboxView } from '@heliograph/simulators';
import { fetchService } from '../../core/http/service-client.ts';
import { AcquirerRefused, type Acquirer, type AcquirerState, type Order } from '../acquirer.ts';
import { CENT, fromDecimal, toDecimal } from '../amounts.ts';
import { isSigned, SIGNATURE_HEADER } from './signature.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;

/** The sandbox of the demo installation, or one in a process of its own (`apps/simulator`). */
export function openSandbox({ url, secret }: { url: string; secret: string }): Acquirer {
  const call = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const response = await fetchService(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
      body: body && JSON.stringify(body),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    if (response.status === 404) return null;
    if (response.status === 422) throw new AcquirerRefused('the sandbox refused the call');
    if (response.status !== 200) throw new Error(`the sandbox answered ${response.status}`);
    return JSON.parse(response.bytes.toString('utf8')) as SandboxView & { url: string };
  };
  return {
    canChargeCards: true,
    currencies: null,
    smallestUnit: () => CENT,
    async create(order) {
      const view = await call('POST', '/payments', bodyOf(order));
      if (!view) throw new Error('the sandbox is not at this address');
      return { url: view.url, externalId: view.id };
    },
    verify: (headers, body) => isSigned(secret, headers[SIGNATURE_HEADER], body),
    read: ({ reference, ...view }) =>
      Promise.resolve(
        typeof reference === 'string'
          ? { reference, state: stateOf(view as unknown as SandboxView) }
          : null,
      ),
    async query({ reference }) {
      const view = await call('GET', `/payments?reference=${reference}`);
      return view ? stateOf(view) : { status: 'unknown' };
    },
    async refund({ externalId }, { id, amount }) {
      const path = `/payments/${externalId}/refunds`;
      if (!(await call('POST', path, { id, amount: toDecimal(amount) })))
        throw new AcquirerRefused('the payment is unknown');
    },
    async charge(order, cardToken) {
      const view = await call('POST', '/charges', { ...bodyOf(order), cardToken });
      if (!view) throw new Error('the sandbox is not at this address');
      return stateOf(view);
    },
  };
}

function bodyOf({ sum, reference, currency, description, savesCard, ...urls }: Order) {
  const { successUrl, failUrl, notifyUrl } = urls;
  const order = { reference, currency, description, savesCard, successUrl, failUrl, notifyUrl };
  return { ...order, amount: toDecimal(sum) };
}

const STATUSES = { pending: 'pending', paid: 'paid', declined: 'failed' } as const;

function stateOf(view: SandboxView): AcquirerState {
  return {
    status: STATUSES[view.status] ?? 'pending',
    externalId: view.id,
    sum: fromDecimal(view.amount),
    currency: view.currency,
    refunded: fromDecimal(view.refunded),
    cardNumber: view.card ?? undefined,
    cardToken: view.cardToken ?? undefined,
  };
}
