import { formatMoney, parseMoney } from '@heliograph/domain';

/** A payment of the sandbox: an acquirer without money, for demo installations and tests. */
export interface SandboxPayment {
  id: string;
  /** The shop's id of the payment. */
  reference: string;
  /** With two decimals, as all amounts here. */
  amount: string;
  currency: string;
  description: string;
  successUrl: string;
  failUrl: string;
  notifyUrl: string;
  savesCard: boolean;
  status: 'pending' | 'challenge' | 'paid' | 'declined';
  card: string | null;
  /** Pays `pending` payments whose bank answers late, in milliseconds of the epoch. */
  paidAt: number | null;
  refunds: Record<string, string>;
}

export type SandboxOrder = Omit<SandboxPayment, 'id' | 'status' | 'card' | 'paidAt' | 'refunds'>;

/** Test cards and what they do. Other numbers are declined. */
export const SANDBOX_CARDS = {
  '4242424242424242': 'Paid at once',
  '4000000000000002': 'Declined by the bank',
  '4000000000003220': 'Asks for a 3-D Secure confirmation',
  '4000000000000259': 'Paid after 10 seconds',
  '4000000000000077': 'Paid; notifications arrive twice and in the wrong order',
  '4000000000000341': 'Paid; later charges of the saved card are declined',
} as const;
type CardNumber = keyof typeof SANDBOX_CARDS;
const DECLINED: CardNumber = '4000000000000002';
const CHALLENGED: CardNumber = '4000000000003220';
const LATE: CardNumber = '4000000000000259';
const NOISY: CardNumber = '4000000000000077';
const ONCE: CardNumber = '4000000000000341';
const isKnown = (card: string) => Object.hasOwn(SANDBOX_CARDS, card);
const LATE_MS = 10_000;

export function newSandboxPayment(id: string, order: SandboxOrder): SandboxPayment {
  return { id, ...order, status: 'pending', card: null, paidAt: null, refunds: {} };
}

/** The payer enters a card. A payment that is no longer open stays as it is. */
export function enterCard(payment: SandboxPayment, card: string, now: number): SandboxPayment {
  if (payment.status !== 'pending' || payment.paidAt !== null) return payment;
  if (card === CHALLENGED) return { ...payment, card, status: 'challenge' };
  if (card === LATE) return { ...payment, card, paidAt: now + LATE_MS };
  if (!isKnown(card) || card === DECLINED) return { ...payment, card, status: 'declined' };
  return { ...payment, card, status: 'paid' };
}

/** The payer answers the question of the bank. */
export function answerChallenge(payment: SandboxPayment, isConfirmed: boolean): SandboxPayment {
  if (payment.status !== 'challenge') return payment;
  return { ...payment, status: isConfirmed ? 'paid' : 'declined' };
}

/** The shop charges a saved card. */
export function chargeSavedCard(payment: SandboxPayment, cardToken: string): SandboxPayment {
  const card = cardToken.replace(/^card_/, '');
  const isPaid = isKnown(card) && card !== ONCE && card !== DECLINED;
  return { ...payment, card, status: isPaid ? 'paid' : 'declined' };
}

/** A payment whose bank answers late is paid when its time has come. */
export function settle(payment: SandboxPayment, now: number): SandboxPayment {
  const isDue = payment.status === 'pending' && payment.paidAt !== null && payment.paidAt <= now;
  return isDue ? { ...payment, status: 'paid', paidAt: null } : payment;
}

/** Refunds a part, once for each id; null if more would be refunded than was paid. */
export function refundSandbox(
  payment: SandboxPayment,
  id: string,
  amount: string,
): SandboxPayment | null {
  if (payment.refunds[id] !== undefined) return payment;
  const refunds = { ...payment.refunds, [id]: amount };
  const isCovered = payment.status === 'paid' && sumOf(refunds) <= parseMoney(payment.amount);
  return isCovered ? { ...payment, refunds } : null;
}

/** A payment as the shop sees it, in answers and notifications. */
export interface SandboxView {
  id: string;
  reference: string;
  status: 'pending' | 'paid' | 'declined';
  amount: string;
  currency: string;
  refunded: string;
  refunds: string[];
  card: string | null;
  cardToken: string | null;
}

export function viewOf(payment: SandboxPayment): SandboxView {
  const { id, reference, amount, currency, refunds, card, savesCard } = payment;
  const isPaid = payment.status === 'paid';
  return {
    id,
    reference,
    status: payment.status === 'challenge' ? 'pending' : payment.status,
    amount,
    currency,
    refunded: formatMoney(sumOf(refunds)).slice(0, -2),
    refunds: Object.keys(refunds),
    card: card && card.slice(-4),
    cardToken: isPaid && savesCard ? `card_${card}` : null,
  };
}

const sumOf = (refunds: SandboxPayment['refunds']) =>
  Object.values(refunds).reduce((sum, amount) => sum + parseMoney(amount), 0n);

/** What the shop is told after a change, in the order of sending. */
export function notificationsOf(before: SandboxPayment, after: SandboxPayment): SandboxView[] {
  const [old, view] = [viewOf(before), viewOf(after)];
  if (old.status === view.status && old.refunded === view.refunded) return [];
  return after.card === NOISY ? [view, view, old] : [view];
}
