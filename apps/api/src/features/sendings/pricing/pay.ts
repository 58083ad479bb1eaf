import type { SendingType } from '@heliograph/domain';
import type { Funds, FundsRefusal, Spender } from '../../billings/charges.service.ts';
import type { Quote } from './quote.ts';

/** Pays a message by a package that has all units of it, else by the funds. Returns how it is charged, or why it cannot be paid. */
export function pay(
  funds: Funds,
  spender: Spender,
  { type, quote, at }: { type: SendingType; quote: Quote; at: Date },
): { quote: Quote; refusal: FundsRefusal | null } {
  const { amount, mccmnc, multiplier: units } = quote;
  if (!amount) return { quote, refusal: funds.take(spender, 0n, at) };
  const cover = funds.cover(spender, { type, mccmnc, units }, amount, at);
  if (cover && 'refusal' in cover) return { quote, refusal: cover.refusal };
  if (cover) return { quote: { ...quote, amount: 0n, ...cover }, refusal: null };
  return { quote, refusal: funds.take(spender, amount, at) };
}
