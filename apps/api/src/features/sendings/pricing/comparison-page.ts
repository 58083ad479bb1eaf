import {
  amountOf,
  type Money,
  parseMoney,
  type PriceBook,
  priceOfCall,
  secondsOfCall,
  type TariffTag,
  typeOf,
} from '@heliograph/domain';

/** Messages of an account that no rule of two price books can tell apart. */
export interface MessageGroup {
  /** As stored. */
  type: number;
  messages: number;
  /** Charged for all of them. */
  billed: string;
  /** Billed units of each; of a call that is charged by its length the seconds of its text or recording. */
  multiplier: number;
  /** For how long a call was answered; null if that did not decide its price. */
  seconds: number | null;
  /** Null if the message is not stored any more. */
  sender: string | null;
  mccmnc: string | null;
  group: string | null;
  /** Null where no rule asks for it, or the text was deleted. */
  text: string | null;
  /** Asterisks stand for what only the carrier may read. */
  isSealed: boolean;
  /** The first digits, as many as the rules look at. */
  phone: string;
  /** The data of the person was erased. */
  isErased: boolean;
  /** Where its bulk reads its recipients from; null if that is not known. */
  audience: ({ list: string } | { phones: unknown })[] | null;
}

export interface ComparisonSums {
  type: number;
  mccmnc: string;
  messages: number;
  compared: number;
  billed: Money;
  first: Money;
  second: Money;
  withoutFirst: number;
  withoutSecond: number;
  unknown: number;
}

/** Adds a group to the sums of its type and network. */
export function addGroup(
  sums: Map<string, ComparisonSums>,
  books: readonly [PriceBook, PriceBook],
  group: MessageGroup,
): void {
  const { type, messages, billed } = group;
  const mccmnc = group.mccmnc ?? '';
  const key = `${type} ${mccmnc}`;
  let sum = sums.get(key);
  if (!sum) sums.set(key, (sum = { type, mccmnc, ...NOTHING }));
  sum.messages += messages;
  const amounts = books.map((book) => amountBy(book, group));
  const [first, second] = amounts as [Amount, Amount];
  if (first === 'unknown' || second === 'unknown') {
    sum.unknown += messages;
    return;
  }
  if (first === null) sum.withoutFirst += messages;
  if (second === null) sum.withoutSecond += messages;
  if (first === null || second === null) return;
  sum.compared += messages;
  sum.billed += parseMoney(billed);
  sum.first += first * BigInt(messages);
  sum.second += second * BigInt(messages);
}

const NOTHING = {
  messages: 0,
  compared: 0,
  billed: 0n,
  first: 0n,
  second: 0n,
  withoutFirst: 0,
  withoutSecond: 0,
  unknown: 0,
};

/** Of one message; null if it has no price. */
type Amount = Money | null | 'unknown';

function amountBy(book: PriceBook, group: MessageGroup): Amount {
  const { sender, mccmnc, text, isSealed, isErased } = group;
  if (sender === null || mccmnc === null) return 'unknown';
  const type = typeOf(group.type);
  const network = mccmnc || null;
  const lists = listsOf(group);
  const missing: TariffTag[] = [
    ...(text === null ? (['text', 'keywords'] as const) : []),
    ...(isErased ? (['recipient', 'group'] as const) : []),
    ...(lists === null ? (['contactList'] as const) : []),
  ];
  if (missing.length) {
    const asked = book.tagsFor({ type, sender, mccmnc: network });
    if (missing.some((tag) => asked.has(tag))) return 'unknown';
  }
  const price = book.price({
    type,
    sender,
    phone: group.phone,
    // As it was priced: where the asterisks stand digits were sent.
    text: isSealed ? (text ?? '').replaceAll('*', '0') : (text ?? ''),
    mccmnc: network,
    contactLists: lists ?? [],
    group: group.group,
  });
  if (!price) return null;
  const { byLength: intervals } = price;
  const { seconds, multiplier } = group;
  if (type !== 'voice' || !intervals) return amountOf(price.price, multiplier, type);
  const reserved = secondsOfCall(multiplier, intervals);
  return priceOfCall({ price: price.price, reserved, intervals }, seconds ?? reserved).amount;
}

/** The list that a message was sent to. Of a bulk to several, nothing says which. */
function listsOf({ audience }: MessageGroup): string[] | null {
  if (!audience) return null;
  const lists = audience.flatMap((segment) => ('list' in segment ? segment.list : []));
  return !lists.length || audience.length === 1 ? lists : null;
}
