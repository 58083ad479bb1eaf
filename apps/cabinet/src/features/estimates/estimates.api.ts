import { sendings, type Estimate, type SendingInput } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import type { Formats } from '../../core/formats.ts';
import { keysOf } from '../../core/query-keys.ts';

/** A sending as a form makes it: the server fills in the defaults. */
export type SendingBody = z.input<typeof SendingInput>;

/** A sum of an estimate in words: what calls cost that are charged by their length is not known before. */
export function estimateText(
  t: TFunction,
  formats: Formats,
  { byLength, amount }: Pick<Estimate, 'byLength' | 'amount'>,
): string {
  const money = formats.money(amount);
  return byLength ? t('common:upTo', { amount: money }) : money;
}

/** Of a body: it may hold tens of thousands of recipients, and a key is read on every rendering. */
const digests = new WeakMap<SendingBody, string>();

/** 53 bits of a text, by cyrb53. */
function digest(text: string): string {
  let [one, two] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    one = Math.imul(one ^ code, 2654435761);
    two = Math.imul(two ^ code, 1597334677);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909);
  two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return `${text.length}-${(4294967296 * (2097151 & two) + (one >>> 0)).toString(36)}`;
}

function keyOf(body: SendingBody): string {
  const key = digests.get(body) ?? digest(JSON.stringify(body));
  digests.set(body, key);
  return key;
}

/** Has a noun of its own: events of sendings must not refetch it. */
export const estimateQuery = (body: SendingBody | null) =>
  queryOptions({
    queryKey: keysOf('estimates').of('get', body && keyOf(body)),
    queryFn: ({ signal }) => api(sendings.estimate, { body: body!, signal }),
    enabled: !!body,
    // Prices and balances change, so an old answer is not shown as a current one.
    staleTime: 10_000,
    // Each pause in typing makes another one.
    gcTime: 30_000,
    retry: false,
  });
