import type { Refused } from '../bots.ts';

/** By status, and by the code and the words of MAX, which has no list of either: the first that fits. */
const MEANINGS: readonly (readonly [number, RegExp, Refused])[] = [
  [403, /dialog\.suspended/, { code: 'blocked', hasEnded: true }],
  [404, /(?:chat|dialog|user)\.not\.?found/, { code: 'not_a_user', hasEnded: true }],
  [400, /too\W?(?:long|big|large)/i, { code: 'too_long' }],
  [400, /^proto\.payload|attachment/, { code: 'invalid_payload' }],
  [413, /^/, { code: 'too_long' }],
];

/** What a refusal means. One whose words are not known is still a refusal. */
export function meaningOf(status: number, code: string, words: string): Refused {
  const said = `${code} ${words}`;
  const known = MEANINGS.find(([of, pattern]) => of === status && pattern.test(said));
  return { ...(known?.[2] ?? { code: 'rejected' as const }), carrierCode: code || status };
}

/** A file is still being processed. Nothing was sent; later the same call succeeds. */
export const isNotReady = ({ carrierCode, text }: Refused): boolean =>
  carrierCode === 'attachment.not.ready' || /\.not\.(?:ready|processed)/.test(text ?? '');
