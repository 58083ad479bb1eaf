import { describe, expect, it } from 'vitest';
import {
  SENDING_ERRORS,
  SENDING_TYPES,
  STATUSES,
  failureAdvice,
  isFinal,
  isSendingType,
  statusCode,
  statusOf,
  typeCode,
  typeOf,
} from './types.ts';
import type { StoredStatus } from './types.ts';

describe('sending types', () => {
  it('keep the integers of existing rows', () => {
    // Changing one of these integers changes the meaning of existing rows.
    expect(SENDING_TYPES.map((type) => `${type}=${typeCode(type)}`).join(' ')).toBe(
      'sms=1 smsping=2 mms=3 viber=4 voice=5 whatsapp=6 email=7 vk=8 ok=9 push=10 telegram=11 ' +
        'max=25 facebook=12 instagram=13 chat_telegram=14 chat_vk=15 chat_ok=16 chat_facebook=17 ' +
        'chat_instagram=18 chat_whatsapp=19 flashcall=20 hlr=21 telegramcode=22 sim_push=23 wapi=24',
    );
  });

  it('are restored from their integers', () => {
    for (const type of SENDING_TYPES) expect(typeOf(typeCode(type))).toBe(type);
    expect(() => typeOf(0)).toThrow(RangeError);
    expect([isSendingType('viber'), isSendingType('fax'), isSendingType('toString')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('statuses', () => {
  it.each([
    ['pending', 0],
    ['processing', 1],
    ['sent', 2],
    ['delivered', 3],
    ['seen', 4],
    ['failed', 5],
  ] as [StoredStatus, number][])('%s is stored as %i', (status, code) => {
    expect(statusCode(status)).toBe(code);
    expect(statusOf(code)).toBe(status);
  });

  it('are final when delivered, seen or failed', () => {
    expect(STATUSES.filter(isFinal)).toEqual(['delivered', 'seen', 'failed']);
  });

  it('refuse an unknown integer', () => {
    expect(() => statusOf(6)).toThrow('Unknown status code 6');
  });
});

it('has a text for every error code', () => {
  for (const message of Object.values(SENDING_ERRORS)) expect(message).toMatch(/^[A-Z].*\.$/);
});

it('has advice for every error code, also unknown ones', () => {
  expect(failureAdvice('insufficient_funds')).toBe('top_up');
  expect(failureAdvice('toString')).toBe('retry');
});
