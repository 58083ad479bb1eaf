import { isSameSecret } from '../../core/http/same-secret.ts';
import {
  AcquirerRefused,
  type Acquirer,
  type AcquirerState,
  type Order,
  type PaymentRef,
  type TinkoffSettings,
} from '../acquirer.ts';
import { CENT, fromMinor, toMinor } from '../amounts.ts';
import { tinkoffApi, type Answer } from './api.ts';
import { receiptOf } from './receipt.ts';
import { isRefunding, statusOf } from './statuses.ts';
import { tokenOf } from './token.ts';

/** All amounts are in kopecks. */
const DECIMALS = 2;
/**
 * What card networks are told: the payer pays and saves no card (CIT CNC), or saves one (CIT CC), or the shop charges one without a schedule
 * that the bank knows (MIT COF Recurring).
 */
const INITIATORS = { payer: '0', payerSavingCard: '1', shop: 'R' } as const;
const initiatedBy = (who: keyof typeof INITIATORS) => ({ OperationInitiatorType: INITIATORS[who] });
const PAYMENT_ID = /^\d{1,20}$/;
const MAX_FIELDS = 50;
const MAX_DESCRIPTION_LENGTH = 140;

/** T-Bank's internet acquiring, payments with one stage. https://developer.tbank.ru/eacq */
export function openTinkoff(settings: TinkoffSettings): Acquirer {
  const { call, post } = tinkoffApi(settings);

  const init = async (order: Order, values: Record<string, unknown>) => {
    const name = order.description.slice(0, MAX_DESCRIPTION_LENGTH);
    const answer = await call('Init', {
      Amount: toMinor(order.sum, DECIMALS),
      OrderId: order.reference,
      Description: name,
      PayType: 'O',
      NotificationURL: order.notifyUrl,
      ...values,
      Receipt: receiptOf(settings.receipt, { ...order, amount: order.sum, name }),
    });
    if (!answer.Success) throw refusal(answer);
    const id = String(answer.PaymentId);
    if (!PAYMENT_ID.test(id)) throw new Error('T-Bank: Init without a PaymentId');
    return { id, url: answer.PaymentURL };
  };

  /** An answer about a payment that was declined may be without `Success`; its status counts. */
  const getState = async (PaymentId: string, isCharge: boolean) => {
    const answer = await call('GetState', { PaymentId });
    const status = statusOf(answer.Status, isCharge);
    if (!status) throw new Error(`T-Bank: GetState ${answer.ErrorCode} ${String(answer.Status)}`);
    return { answer, status };
  };

  const query = async (payment: PaymentRef): Promise<AcquirerState> => {
    const { externalId, isCharge, savesCard, reference } = payment;
    // A payment whose id is not stored was shown to no payer, and charged by nobody.
    if (!externalId) return { status: 'unknown' };
    const { answer, status } = await getState(externalId, isCharge);
    const state = { externalId, currency: 'RUB' };
    if (isCharge && answer.Status === 'NEW') return { ...state, status: 'unknown' };
    if (status === 'refunded') return { ...state, status: 'failed', refunded: payment.sum };
    if (status === 'partRefunded') return { ...state, status: 'paid', isPartRefunded: true };
    if (status !== 'paid') return { ...state, status };
    const sum = fromMinor(answer.Amount, DECIMALS);
    return { ...state, status, sum, ...(savesCard && (await cardOf(reference))) };
  };

  /** The card that the customer of a first payment has saved. */
  const cardOf = async (CustomerKey: string): Promise<Partial<AcquirerState>> => {
    const cards = await post('GetCardList', { CustomerKey });
    if (!Array.isArray(cards)) return {};
    const card = (cards as Record<string, unknown>[]).findLast(
      (one) => one?.Status === 'A' && PAYMENT_ID.test(String(one.RebillId)),
    );
    return card ? { cardToken: String(card.RebillId), cardNumber: lastDigits(card.Pan) } : {};
  };

  return {
    canChargeCards: true,
    currencies: ['RUB'],
    smallestUnit: () => CENT,
    async create(order) {
      const { id, url } = await init(order, {
        SuccessURL: order.successUrl,
        FailURL: order.failUrl,
        DATA: initiatedBy(order.savesCard ? 'payerSavingCard' : 'payer'),
        // A customer for each first payment: its only card is the one that was saved.
        ...(order.savesCard && { Recurrent: 'Y', CustomerKey: order.reference }),
      });
      if (typeof url !== 'string' || !URL.canParse(url))
        throw new Error('T-Bank: Init without a PaymentURL');
      return { url, externalId: id };
    },
    verify(_headers, body) {
      const values = parsed(body);
      return (
        values !== null &&
        typeof values.Token === 'string' &&
        values.TerminalKey === settings.terminalKey &&
        isSameSecret(values.Token.toLowerCase(), tokenOf(values, settings.password))
      );
    },
    read({ OrderId, PaymentId, RebillId, Pan }) {
      if (typeof OrderId !== 'string' || !PAYMENT_ID.test(String(PaymentId)))
        return Promise.resolve(null);
      const cardToken = PAYMENT_ID.test(String(RebillId)) ? String(RebillId) : undefined;
      const cardNumber = lastDigits(Pan);
      return Promise.resolve({ reference: OrderId, cardToken, cardNumber });
    },
    query,
    async refund(payment, { id, amount, contact, now }) {
      const PaymentId = payment.externalId;
      if (!PaymentId) throw new AcquirerRefused('the payment is unknown');
      const { answer: before, status } = await getState(PaymentId, payment.isCharge);
      if (status === 'refunded') return;
      if (isRefunding(before.Status)) throw new Error('T-Bank: a refund is in progress');
      if (status !== 'paid' && status !== 'partRefunded')
        throw new AcquirerRefused(`the payment is ${String(before.Status)}`);
      const answer = await call('Cancel', {
        PaymentId,
        Amount: toMinor(amount, DECIMALS),
        // A repeated call answers with the state of the first one.
        ExternalRequestId: id,
        Receipt: receiptOf(settings.receipt, { amount, contact, now, name: 'Возврат' }),
      });
      if (!answer.Success) throw refusal(answer);
      const after = statusOf(answer.Status, payment.isCharge);
      if (after !== 'refunded' && after !== 'partRefunded')
        throw new Error(`T-Bank: after a refund the payment is ${String(answer.Status)}`);
    },
    async openCharge(order) {
      return (await init(order, { DATA: initiatedBy('shop') })).id;
    },
    /** The bank charges a payment in the state `NEW` only, so a repeated call does nothing; its refusal tells less than the state. */
    async charge(order, cardToken, externalId) {
      const answer = await call('Charge', { PaymentId: externalId, RebillId: cardToken });
      const { reference, sum, currency } = order;
      const payment = { reference, sum, currency, externalId, savesCard: false, isCharge: true };
      const state = await query(payment);
      if (state.status !== 'unknown') return state;
      if (!answer.Success) throw refusal(answer);
      return { ...state, status: 'pending' };
    },
  };
}

const refusal = ({ ErrorCode }: Answer) => new AcquirerRefused(`error ${String(ErrorCode)}`);

const lastDigits = (pan: unknown) =>
  typeof pan === 'string' && /\d{4}$/.test(pan.slice(-20)) ? pan.slice(-4) : undefined;

/** Null unless it is a JSON object with few fields. */
function parsed(body: Buffer): Record<string, unknown> | null {
  try {
    const values: unknown = JSON.parse(body.toString('utf8'));
    const isObject = typeof values === 'object' && values !== null && !Array.isArray(values);
    return isObject && Object.keys(values).length <= MAX_FIELDS
      ? (values as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
