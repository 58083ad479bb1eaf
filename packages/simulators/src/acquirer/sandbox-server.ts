import { hasMoneyScale, parseMoney } from '@heliograph/domain';
import type { SimulatedParty, SimulatedRequest, SimulatedResponse } from '../http.ts';
import { sandboxPage } from './sandbox-page.ts';
import {
  answerChallenge,
  chargeSavedCard,
  enterCard,
  newSandboxPayment,
  notificationsOf,
  refundSandbox,
  settle,
  viewOf,
  type SandboxOrder,
  type SandboxPayment,
  type SandboxView,
} from './sandbox-payment.ts';

/** Where a host keeps the payments. */
export interface SandboxStore {
  byId(id: string): Promise<SandboxPayment | undefined>;
  byReference(reference: string): Promise<SandboxPayment | undefined>;
  /** False if the reference exists. */
  add(payment: SandboxPayment): Promise<boolean>;
  /** Replaces a payment by what `change` makes of it, one change at a time; null leaves it. */
  change(
    id: string,
    change: (payment: SandboxPayment) => SandboxPayment | null,
  ): Promise<{ before: SandboxPayment; after: SandboxPayment | null } | undefined>;
}

export interface SandboxHost {
  store: SandboxStore;
  newId: () => string;
  now: () => number;
  /** Address of this server for browsers, without a slash at the end. */
  baseUrl: string;
  /** Whether a call of the API, not of a page, has the secret of the shop. */
  isAuthorized: (authorization: string | undefined) => boolean;
  /** Posts a signed notification to the shop. Must not throw. */
  notify: (url: string, view: SandboxView) => void;
  /** Calls `then` after the time; what is lost with the process is found when the shop queries. */
  later: (ms: number, then: () => void) => void;
}

const NOT_FOUND: SimulatedResponse = { status: 404, json: { message: 'Not found' } };
const INVALID: SimulatedResponse = { status: 422, json: { message: 'Invalid request' } };

/** The sandbox over HTTP. Its hosts are the API of a demo installation and a process of its own. */
export class SandboxServer implements SimulatedParty {
  private readonly host: SandboxHost;

  constructor(host: SandboxHost) {
    this.host = host;
  }

  async respond(request: SimulatedRequest): Promise<SimulatedResponse> {
    const [, area, id, action] = request.path.split('/');
    if (area === 'pay' && id) return this.page(request, id);
    if (!this.host.isAuthorized(request.authorization)) return { status: 401, json: {} };
    const route = `${request.method} ${area} ${id ? ':id' : ''} ${action ?? ''}`.trim();
    if (route === 'POST payments') return this.create(request.body);
    if (route === 'POST charges') return this.charge(request.body);
    if (route === 'GET payments') return this.find(request.query.reference ?? '');
    if (route === 'POST payments :id refunds') return this.refund(id!, request.body);
    return NOT_FOUND;
  }

  private async page({ method, body }: SimulatedRequest, id: string): Promise<SimulatedResponse> {
    if (method !== 'POST') {
      const payment = await this.host.store.byId(id);
      return payment
        ? { status: 200, html: sandboxPage(settle(payment, this.host.now())) }
        : NOT_FOUND;
    }
    const card = typeof body.card === 'string' ? body.card.replaceAll(' ', '').slice(0, 32) : '';
    const now = this.host.now();
    const done = await this.host.store.change(id, (payment) =>
      payment.status === 'challenge'
        ? answerChallenge(payment, body.answer === 'confirm')
        : enterCard(payment, card, now),
    );
    if (!done?.after) return NOT_FOUND;
    this.tell(done.before, done.after);
    if (done.after.paidAt) this.settleAt(id, done.after.paidAt);
    const { status, successUrl, failUrl } = done.after;
    if (status === 'challenge') return { status: 303, location: `${this.host.baseUrl}/pay/${id}` };
    return { status: 303, location: status === 'declined' ? failUrl : successUrl };
  }

  /** Idempotent by reference. */
  private async create(body: Record<string, unknown>): Promise<SimulatedResponse> {
    const order = orderOf(body);
    if (!order) return INVALID;
    const known = await this.open(order);
    return { status: 200, json: { ...viewOf(known), url: `${this.host.baseUrl}/pay/${known.id}` } };
  }

  /** Idempotent by reference: a repeated call answers with the result of the first one. */
  private async charge(body: Record<string, unknown>): Promise<SimulatedResponse> {
    const order = orderOf(body);
    if (!order || typeof body.cardToken !== 'string') return INVALID;
    const { id } = await this.open(order);
    const done = await this.host.store.change(id, (payment) =>
      payment.card ? payment : chargeSavedCard(payment, body.cardToken as string),
    );
    this.tell(done!.before, done!.after!);
    return { status: 200, json: viewOf(done!.after!) };
  }

  private async find(reference: string): Promise<SimulatedResponse> {
    const found = await this.host.store.byReference(reference);
    if (!found) return NOT_FOUND;
    return { status: 200, json: viewOf((await this.settle(found.id)) ?? found) };
  }

  private async refund(id: string, body: Record<string, unknown>): Promise<SimulatedResponse> {
    const { id: refundId, amount } = body;
    if (typeof refundId !== 'string' || !isAmount(amount)) return INVALID;
    const done = await this.host.store.change(id, (payment) =>
      refundSandbox(payment, refundId, amount),
    );
    if (!done) return NOT_FOUND;
    if (!done.after) return { status: 422, json: { message: 'The refund exceeds the payment' } };
    this.tell(done.before, done.after);
    return { status: 200, json: viewOf(done.after) };
  }

  private async open(order: SandboxOrder): Promise<SandboxPayment> {
    const payment = newSandboxPayment(this.host.newId(), order);
    if (await this.host.store.add(payment)) return payment;
    return (await this.host.store.byReference(order.reference))!;
  }

  /** A timer may end a moment before its time by the clock: what is not due then is waited for again. */
  private settleAt(id: string, paidAt: number): void {
    this.host.later(Math.max(1, paidAt - this.host.now()), () => {
      void this.settle(id).then((after) => {
        if (after?.paidAt) this.settleAt(id, after.paidAt);
      });
    });
  }

  private async settle(id: string): Promise<SandboxPayment | null | undefined> {
    const done = await this.host.store.change(id, (payment) => settle(payment, this.host.now()));
    if (done?.after) this.tell(done.before, done.after);
    return done?.after;
  }

  private tell(before: SandboxPayment, after: SandboxPayment): void {
    for (const view of notificationsOf(before, after)) this.host.notify(after.notifyUrl, view);
  }
}

const isAmount = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^\d{1,12}\.\d\d$/.test(value) &&
  hasMoneyScale(Number(value)) &&
  parseMoney(value) > 0n;

function orderOf(body: Record<string, unknown>): SandboxOrder | null {
  const text = (name: string) => (typeof body[name] === 'string' ? body[name] : '');
  if (!isAmount(body.amount) || !text('reference') || !text('currency')) return null;
  return {
    reference: text('reference'),
    amount: body.amount,
    currency: text('currency'),
    description: text('description'),
    successUrl: text('successUrl'),
    failUrl: text('failUrl'),
    notifyUrl: text('notifyUrl'),
    savesCard: body.savesCard === true,
  };
}
