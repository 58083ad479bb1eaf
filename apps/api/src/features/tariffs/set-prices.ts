import { SENDING_TYPES, type SendingType } from '@heliograph/domain';
import type { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { replaceDefaultRules, type TypePrice } from './commands.store.ts';

const PRICE = /^(\d{1,9}(?:\.\d{1,4})?)(?:\/(\d{1,9}(?:\.\d{1,4})?))?$/;
const USAGE =
  'Usage: set-prices TYPE=PRICE ..., for a voice call voice=PRICE/PRICE_PER_SECOND, for example: set-prices sms=0.08 voice=0.02/0.001';

/** Replaces all rules of the default tariff by one price for each named type. Types without a price cannot be sent. */
export async function setPrices(db: Db, given: string[]): Promise<void> {
  const rules = given.map(parseRule);
  const types = rules.map(({ type }) => type);
  if (rules.length === 0 || new Set(types).size < types.length)
    throw new AppError('validation', USAGE);
  const isStored = await db.transaction(() => replaceDefaultRules(db, rules));
  if (!isStored) throw new AppError('conflict', 'There is no default tariff: run `seed` first.');
}

function parseRule(text: string): TypePrice {
  const [type = '', value = ''] = text.split('=', 2);
  const [, price, perSecond] = PRICE.exec(value) ?? [];
  const isVoice = type === 'voice';
  if (
    !SENDING_TYPES.includes(type as SendingType) ||
    !price ||
    isVoice !== (perSecond !== undefined)
  )
    throw new AppError('validation', `${text}: not understood. ${USAGE}`);
  return { type, price: perSecond === undefined ? [price] : [price, perSecond] };
}
