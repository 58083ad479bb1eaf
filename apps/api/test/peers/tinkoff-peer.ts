import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Peer, type Act, type PeerAnswer, type Sent } from './peer.ts';

const TERMINAL = 'TerminalOfThePeer';
const PASSWORD = 'password-of-the-peer';

interface Row {
  PaymentId: string;
  OrderId: string;
  Amount: number;
  Status: string;
  CustomerKey?: string;
  RebillId?: string;
  /** Who begins a payment with a stored card. */
  initiator?: string;
  charged: number;
  refunded: number;
  receipts: unknown[];
}
type Values = Record<string, any>;

/** T-Bank as far as the product calls it: checks the Token of each call, and accepts an order number more than once, as the bank does. */
export class TinkoffPeer extends Peer {
  readonly method = 'tinkoff';
  readonly payments = new Map<string, Row>();
  /** The next refund is made, and answered with this error. */
  failsInside: string | null = null;
  /** Refunds stay in this status until `finishRefunds`. */
  refundsSlowly: string | null = null;
  /** Charges of saved cards ask the payer for 3-D Secure. */
  asksPayer = false;
  private readonly cancels = new Map<string, Values>();
  private readonly tampered = new Map<string, { amount?: number }>();
  private count = 1000;

  env(): Record<string, string> {
    return {
      TINKOFF_TERMINAL_KEY: TERMINAL,
      TINKOFF_PASSWORD: PASSWORD,
      TINKOFF_URL: `${this.url}/v2`,
      TINKOFF_TAXATION: 'osn',
      TINKOFF_TAX: 'general',
    };
  }

  pay(url: string, card: 'good' | 'declined' = 'good'): void {
    const row = this.rowOf(url);
    if (card === 'declined') {
      row.Status = 'REJECTED';
      return this.tell(row);
    }
    row.Amount = this.tampered.get(row.PaymentId)?.amount ?? row.Amount;
    if (row.CustomerKey) row.RebillId = '777';
    this.tell({ ...row, Status: 'AUTHORIZED' });
    row.Status = 'CONFIRMED';
    this.tell(row);
  }

  expire(url: string): void {
    const row = this.rowOf(url);
    row.Status = 'DEADLINE_EXPIRED';
    this.tell(row);
  }

  tamper(url: string, change: { amount?: number }): void {
    this.tampered.set(this.rowOf(url).PaymentId, change);
  }

  refundThere(url: string, amount: number): void {
    const row = this.rowOf(url);
    row.refunded += amount;
    row.Status = row.refunded < row.Amount ? 'PARTIAL_REFUNDED' : 'REFUNDED';
    this.tell(row);
  }

  finishRefunds(): void {
    this.refundsSlowly = null;
    for (const row of this.payments.values())
      if (row.refunded) row.Status = row.refunded < row.Amount ? 'PARTIAL_REFUNDED' : 'REFUNDED';
  }

  moved() {
    const rows = [...this.payments.values()];
    return {
      charged: rows.reduce((sum, { charged }) => sum + charged, 0),
      refunded: rows.reduce((sum, { refunded }) => sum + refunded, 0),
    };
  }

  signed(body: Values, secret = PASSWORD): Sent {
    const Token = tokenOf(body, secret);
    return { headers: {}, body: JSON.stringify({ ...body, Token }) };
  }

  /** A notification of the terminal. */
  notification(values: Values, secret = PASSWORD): Sent {
    return this.signed({ TerminalKey: TERMINAL, ...values }, secret);
  }

  protected handle({ url }: IncomingMessage, body: string) {
    const method = url!.split('/').at(-1)!;
    const { Token, ...values } = JSON.parse(body) as Values;
    if (values.TerminalKey !== TERMINAL || Token !== tokenOf(values, PASSWORD))
      return { answer: () => refused('204') };
    const act = ({ Init: 'create', Charge: 'charge', Cancel: 'refund' } as Record<string, Act>)[
      method
    ];
    const key = String(values.ExternalRequestId ?? values.PaymentId ?? values.OrderId);
    return { act, key, answer: () => this.act(method, values) };
  }

  private act(method: string, values: Values): PeerAnswer {
    if (method === 'Init') return this.init(values);
    if (method === 'GetCardList') return { status: 200, json: this.cards(values.CustomerKey) };
    const row = this.payments.get(String(values.PaymentId));
    if (!row) return refused('255');
    if (method === 'Charge') return this.charge(row, values);
    if (method === 'Cancel') return this.cancel(row, values);
    return answer(row);
  }

  private init({ OrderId, Amount, CustomerKey, Receipt, DATA }: Values): PeerAnswer {
    const PaymentId = String(++this.count);
    const row: Row = {
      PaymentId,
      OrderId,
      Amount,
      CustomerKey,
      initiator: (DATA as { OperationInitiatorType?: string } | undefined)?.OperationInitiatorType,
      Status: 'NEW',
      charged: 0,
      refunded: 0,
      receipts: [Receipt],
    };
    this.payments.set(PaymentId, row);
    return answer(row, { PaymentURL: `${this.url}/pay/${PaymentId}` });
  }

  private charge(row: Row, { RebillId }: Values): PeerAnswer {
    if (row.Status !== 'NEW') return refused('8');
    if (RebillId !== '777') return refused('501');
    if (this.asksPayer) {
      row.Status = '3DS_CHECKING';
      return answer(row);
    }
    row.Status = this.bank === 'paid' ? 'CONFIRMED' : 'REJECTED';
    if (this.bank === 'paid') row.charged += row.Amount;
    return this.bank === 'paid' ? answer(row) : refused(this.bank === '3ds' ? '101' : '1051', row);
  }

  private cancel(row: Row, { Amount, ExternalRequestId, Receipt }: Values): PeerAnswer {
    const known = this.cancels.get(ExternalRequestId as string);
    if (known) return answer(row, known);
    if (this.refusesRefunds || Number(Amount) > row.Amount - row.refunded) return refused('4');
    const OriginalAmount = row.Amount - row.refunded;
    row.refunded += Number(Amount);
    row.receipts.push(Receipt);
    row.Status = row.refunded < row.Amount ? 'PARTIAL_REFUNDED' : 'REFUNDED';
    const amounts = { OriginalAmount, NewAmount: row.Amount - row.refunded };
    this.cancels.set(ExternalRequestId as string, amounts);
    if (this.refundsSlowly) row.Status = this.refundsSlowly;
    const code = this.failsInside;
    this.failsInside = null;
    return code ? refused(code) : answer(row, amounts);
  }

  private cards(CustomerKey: unknown) {
    return [...this.payments.values()]
      .filter((row) => row.CustomerKey === CustomerKey && row.RebillId)
      .map(({ RebillId }) => ({ CardId: '1', Pan: '430000******0777', Status: 'A', RebillId }));
  }

  private rowOf = (url: string) => this.payments.get(url.split('/').at(-1)!)!;

  private tell({ OrderId, PaymentId, Status, Amount, RebillId }: Row): void {
    const values = {
      OrderId,
      Success: Status !== 'REJECTED',
      Status,
      PaymentId: Number(PaymentId),
    };
    const card = { Pan: '430000******0777', ...(RebillId && { RebillId: Number(RebillId) }) };
    this.sent.push(this.notification({ ...values, ErrorCode: '0', Amount, ...card, Data: {} }));
  }
}

const answer = ({ PaymentId, OrderId, Status, Amount }: Row, more: object = {}): PeerAnswer => ({
  status: 200,
  json: { Success: true, ErrorCode: '0', PaymentId, OrderId, Status, Amount, ...more },
});
const refused = (ErrorCode: string, more: object = {}): PeerAnswer => ({
  status: 200,
  json: { ...more, Success: false, ErrorCode, Message: 'Refused' },
});

/** As the bank documents it; written apart from the product's, so that both have to be right. */
function tokenOf(values: Values, password: string): string {
  const all: Values = { ...values, Password: password };
  const names = Object.keys(all)
    .filter((name) => typeof all[name] !== 'object')
    .sort();
  const text = names.map((name) => `${all[name]}`).join('');
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
