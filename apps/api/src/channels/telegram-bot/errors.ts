import type { Refused } from '../bots.ts';

/** By the words of Telegram, which has no names for errors: the first that fits. */
const MEANINGS: readonly (readonly [number, RegExp, Refused])[] = [
  [403, /bot was blocked/i, { code: 'blocked', hasEnded: true }],
  [403, /deactivated|initiate conversation/i, { code: 'not_a_user', hasEnded: true }],
  [
    400,
    /(?:chat|user) not found|PEER_ID_INVALID|USER_DEACTIVATED/i,
    { code: 'not_a_user', hasEnded: true },
  ],
  [400, /too (?:long|big|large)/i, { code: 'too_long' }],
  [400, /parse|empty|wrong|PHOTO_|IMAGE_|failed to get|type of file/i, { code: 'invalid_payload' }],
  [413, /^/, { code: 'too_long' }],
];

/** What a refusal means. One whose words are not known is still a refusal. */
export function meaningOf(code: number, words: string): Refused {
  const known = MEANINGS.find(([of, pattern]) => of === code && pattern.test(words));
  return { ...(known?.[2] ?? { code: 'rejected' as const }), carrierCode: code };
}
