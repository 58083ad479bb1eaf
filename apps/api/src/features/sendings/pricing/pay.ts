import { amountOf, priceAfterStep, type SendingType, type StepInForce } from '@heliograph/domain';
import type { Funds, FundsRefusal, Spender } from '../../billings/charges.service.ts';
import type { Quote } from './quote.ts';

interface Payable {
  type: SendingType;
  quote: Quote;
  at: Date;
}

/** A message priced by the volume of its account, which counts it when it is paid, and its step. */
export function atVolume(
  { volumes }: Pick<Funds, 'volumes'>,
  { OwnerId }: Pick<Spender, 'OwnerId'>,
  { type, quote, at }: Payable,
): { quote: Quote; steps?: Pick<StepInForce, 'step' | 'next'> & { units: number } } {
  const { stepped, amount, multiplier } = quote;
  if (!stepped || !amount) return { quote };
  const { step, next, use } = volumes.use(OwnerId, stepped, multiplier, at);
  const price = priceAfterStep(quote.price, step, stepped.floor);
  return {
    quote: { ...quote, price, amount: amountOf(price, multiplier, type), volume: use },
    steps: { step, next, units: use.before },
  };
}

/** Pays a message by a package that has all units of it, else by the funds. Returns how it is charged, or why it cannot be paid. */
export function pay(
  funds: Funds,
  spender: Spender,
  listed: Payable,
): { quote: Quote; refusal: FundsRefusal | null } {
  const { type, at } = listed;
  const { quote } = atVolume(funds, spender, listed);
  const { amount, mccmnc, multiplier: units, volume } = quote;
  if (!amount) return { quote, refusal: funds.take(spender, 0n, at) };
  const cover = funds.cover(spender, { type, mccmnc, units }, amount, at);
  if (cover && 'refusal' in cover) return { quote: listed.quote, refusal: cover.refusal };
  // What a package covers is not billed.
  if (cover) return { quote: { ...quote, amount: 0n, volume: undefined, ...cover }, refusal: null };
  const refusal = funds.take(spender, amount, at);
  if (refusal) return { quote: listed.quote, refusal };
  if (volume) funds.volumes.count(volume);
  return { quote, refusal };
}
