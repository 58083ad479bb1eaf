import type { IncomingMessage } from 'node:http';
import qs from 'qs';
import Stripe from 'stripe';
import { Peer, type Act, type PeerAnswer, type Sent } from './peer.ts';

const KEY = 'sk_test_of_the_peer';
const SECRET = 'whsec_of_the_peer';
const signer = new Stripe(KEY).webhooks;

interface Row extends Record<string, unknown> {
  id: string;
  object: string;
}
type Form = Record<string, any>;

/** Stripe as far as the product calls it: checks the API key, knows idempotency keys and forgets nothing. */
export class StripePeer extends Peer {
  readonly method = 'stripe';
  readonly objects = new Map<string, Row>();
  /** Of the next refunds. */
  refundStatus = 'succeeded';
  private readonly answers = new Map<string, { body: string; answer: PeerAnswer }>();
  private count = 0;
  private readonly tampered = new Map<string, { amount?: number; currency?: string }>();

  env(): Record<string, string> {
    return {
      STRIPE_SECRET_KEY: KEY,
      STRIPE_WEBHOOK_SECRET: SECRET,
      STRIPE_URL: this.url,
      STRIPE_CURRENCIES: 'RUB,JPY',
    };
  }

  pay(url: string, card: 'good' | 'declined' = 'good'): void {
    const session = this.sessionOf(url);
    const intent = this.intentOf(session);
    if (card === 'declined') {
      intent.status = 'requires_payment_method';
      return this.tell('payment_intent.payment_failed', intent);
    }
    this.collect(intent, 'pm_1');
    Object.assign(session, { status: 'complete', payment_status: 'paid' });
    this.tell('payment_intent.succeeded', intent);
    this.tell('checkout.session.completed', { ...session, payment_intent: intent.id });
  }

  /** The payer pays by a debit, on which the bank decides days later. */
  debit(url: string): void {
    const session = this.sessionOf(url);
    this.intentOf(session).status = 'processing';
    Object.assign(session, { status: 'complete', payment_status: 'unpaid' });
    this.tell('checkout.session.completed', session);
  }

  decide(url: string, isPaid: boolean): void {
    const session = this.sessionOf(url);
    const intent = this.intentOf(session);
    if (isPaid) this.collect(intent, 'pm_1');
    else intent.status = 'requires_payment_method';
    this.tell(`checkout.session.async_payment_${isPaid ? 'succeeded' : 'failed'}`, session);
  }

  expire(url: string): void {
    const session = this.sessionOf(url);
    session.status = 'expired';
    this.tell('checkout.session.expired', session);
  }

  tamper(url: string, change: { amount?: number; currency?: string }): void {
    this.tampered.set(this.sessionOf(url).id, change);
  }

  refundThere(url: string, amount: number): void {
    const intent = this.sessionOf(url).payment_intent as Row;
    this.addRefund(intent, amount, {});
    this.tell('charge.refunded', { ...(intent.latest_charge as Row), payment_intent: intent.id });
  }

  /** What has become of the last refund. */
  settleRefund(status: string): void {
    this.refundStatus = 'succeeded';
    const refund = this.all('refund').at(-1)!;
    refund.status = status;
    this.tell(status === 'failed' ? 'refund.failed' : 'refund.updated', refund);
  }

  dispute(url: string, status: string): void {
    const intent = this.sessionOf(url).payment_intent as Row;
    (intent.latest_charge as Row).disputed = true;
    const found = this.all('dispute').find((one) => one.payment_intent === intent.id);
    const dispute =
      found ??
      this.add('dispute', 'dp', { amount: intent.amount_received, payment_intent: intent.id });
    dispute.status = status;
    this.tell('charge.dispute.updated', dispute);
  }

  moved() {
    const sum = (rows: Row[], field: string) =>
      rows.reduce((total, row) => total + Number(row[field]), 0);
    const charges = this.all('payment_intent').filter(
      ({ metadata }) => (metadata as Form).kind === 'charge',
    );
    return {
      charged: sum(charges, 'amount_received'),
      refunded: sum(
        this.all('refund').filter(({ status }) => status !== 'failed'),
        'amount',
      ),
    };
  }

  signed(body: Record<string, unknown>, secret = SECRET, seconds = 0): Sent {
    const payload = JSON.stringify(body);
    const timestamp = Math.floor(Date.now() / 1000) + seconds;
    const header = signer.generateTestHeaderString({ payload, secret, timestamp });
    return { body: payload, headers: { 'stripe-signature': header } };
  }

  protected handle({ method, url, headers }: IncomingMessage, body: string) {
    const { pathname, searchParams } = new URL(url!, this.url);
    const [, , ...path] = pathname.split('/');
    if (headers.authorization !== `Bearer ${KEY}`)
      return { answer: () => failure(401, { type: 'invalid_request_error' }) };
    if (method !== 'POST') return { answer: () => this.read(path, searchParams) };
    const act = (
      { 'checkout/sessions': 'create', payment_intents: 'charge', refunds: 'refund' } as const
    )[path.join('/')] as Act;
    const key = headers['idempotency-key'] as string | undefined;
    return { act, key, answer: () => this.once(key, body, () => this.change(act, qs.parse(body))) };
  }

  /** A key with other parameters is an error; with the same ones, the first answer. Refusals of the parameters are not kept. */
  private once(key: string | undefined, body: string, act: () => PeerAnswer): PeerAnswer {
    const known = key && this.answers.get(key);
    if (known && known.body !== body) return failure(400, { type: 'idempotency_error' });
    if (known) return known.answer;
    const answer = act();
    if (key && answer.status !== 400) this.answers.set(key, { body, answer });
    return answer;
  }

  private read([kind, ...rest]: string[], query: URLSearchParams): PeerAnswer {
    if (kind === 'refunds' || kind === 'disputes') {
      const intent = query.get('payment_intent');
      const data = this.all(kind.slice(0, -1)).filter((one) => one.payment_intent === intent);
      return ok({ object: 'list', data: data.reverse(), has_more: false });
    }
    if (rest[0] === 'search') {
      const reference = /'([^']+)'$/.exec(query.get('query') ?? '')?.[1];
      const data = this.all('payment_intent').filter(
        ({ metadata }) => (metadata as Form).reference === reference,
      );
      return ok({ object: 'search_result', data, has_more: false });
    }
    const row = this.objects.get(rest.at(-1)!);
    return row
      ? ok(row)
      : failure(404, { type: 'invalid_request_error', code: 'resource_missing' });
  }

  private change(act: Act, form: Form): PeerAnswer {
    if (act === 'create') return this.create(form);
    if (act === 'charge') return this.charge(form);
    const intent = this.objects.get(form.payment_intent as string)!;
    const left = Number(intent.amount_received) - this.refundedOf(intent.id);
    if (this.refusesRefunds || Number(form.amount) > left)
      return failure(400, { type: 'invalid_request_error', code: 'charge_already_refunded' });
    return ok(this.addRefund(intent, Number(form.amount), form.metadata as Form));
  }

  private create({ line_items, ...form }: Form): PeerAnswer {
    const { currency, unit_amount } = line_items[0].price_data;
    const order = { amount: Number(unit_amount), currency, ...form };
    const session = this.add('checkout.session', 'cs', {
      order,
      client_reference_id: form.client_reference_id,
      customer_creation: form.customer_creation ?? null,
      metadata: form.metadata,
      status: 'open',
      payment_intent: null,
    });
    session.url = `${this.url}/pay/${session.id}`;
    return ok(session);
  }

  private charge({ amount, currency, customer, metadata, payment_method }: Form): PeerAnswer {
    const values = { amount: Number(amount), currency, customer, metadata, amount_received: 0 };
    const intent = this.add('payment_intent', 'pi', { ...values, latest_charge: null });
    if (this.bank === 'paid' && customer === 'cus_1') {
      this.collect(intent, payment_method as string);
      return ok(intent);
    }
    intent.status = 'requires_payment_method';
    const code = this.bank === '3ds' ? 'authentication_required' : 'card_declined';
    return failure(402, { type: 'card_error', code, payment_intent: intent });
  }

  private intentOf(session: Row): Row {
    const { amount, currency } = { ...(session.order as Form), ...this.tampered.get(session.id) };
    session.payment_intent ??= this.add('payment_intent', 'pi', {
      amount,
      currency,
      ...(session.order as Form).payment_intent_data,
      customer: session.customer_creation ? 'cus_1' : null,
      amount_received: 0,
      latest_charge: null,
    });
    return session.payment_intent as Row;
  }

  private collect(intent: Row, payment_method: string): void {
    intent.status = 'succeeded';
    intent.payment_method = payment_method;
    intent.amount_received = intent.amount;
    const card = { last4: '4242' };
    const values = { amount_refunded: 0, disputed: false, payment_method_details: { card } };
    intent.latest_charge = this.add('charge', 'ch', { ...values, metadata: intent.metadata });
  }

  private addRefund(intent: Row, amount: number, metadata: Form): Row {
    const refund = this.add('refund', 're', { amount, metadata, status: this.refundStatus });
    refund.payment_intent = intent.id;
    (intent.latest_charge as Row).amount_refunded = this.refundedOf(intent.id);
    return refund;
  }

  private refundedOf = (intent: string) =>
    this.all('refund')
      .filter(({ payment_intent, status }) => payment_intent === intent && status !== 'failed')
      .reduce((sum, { amount }) => sum + Number(amount), 0);

  private add(object: string, prefix: string, values: Form): Row {
    const row = { id: `${prefix}_${++this.count}`, object, ...values };
    this.objects.set(row.id, row);
    return row;
  }

  private all = (object: string) => [...this.objects.values()].filter((r) => r.object === object);

  private sessionOf = (url: string) => this.objects.get(url.split('/').at(-1)!)!;

  private tell(type: string, object: object): void {
    const event = { id: `evt_${++this.count}`, object: 'event', type, data: { object } };
    this.sent.push(this.signed(event));
  }
}

const ok = (json: unknown): PeerAnswer => ({ status: 200, json });
const failure = (status: number, error: object): PeerAnswer => ({ status, json: { error } });
