import { describe, expect, it } from 'vitest';
import {
  attemptRefusal,
  isRestricted,
  recipientAccess,
  approvedSpelling,
  senderKey,
  strictestRules,
  type RulesRefusal,
  type SendingRules,
} from './sending-rules.ts';
import type { SendingType } from './types.ts';

const confirmed: SendingRules = {
  isActive: true,
  types: ['sms', 'viber', 'voice', 'email'],
  sendernamesCheck: ['sms', 'viber', 'voice'],
  approvedSenders: new Map([
    ['sms:demo', 'DEMO'],
    ['sms:mirtea', 'MirTea'],
    ['voice:74951234567', '74951234567'],
  ]),
  demoSender: 'DEMO',
  phone: '+79161234567',
  isPhoneConfirmed: true,
};
const unconfirmed: SendingRules = { ...confirmed, isPhoneConfirmed: false };
const inactive: SendingRules = { ...confirmed, isActive: false };

it.each([
  [true, false],
  [false, true],
])('phone confirmed: %s, restricted: %s', (isPhoneConfirmed, restricted) => {
  expect(isRestricted({ isPhoneConfirmed })).toBe(restricted);
});

it.each<[string, SendingRules, SendingType, string, RulesRefusal | null]>([
  ['an approved name', confirmed, 'sms', 'MIRTEA', null],
  ['an approved name in another case', confirmed, 'viber', 'MirTea', null],
  ['a name of another kind', confirmed, 'voice', 'MIRTEA', 'sender_not_approved'],
  ['an approved number', confirmed, 'voice', '74951234567', null],
  ['a name without approval', confirmed, 'viber', 'SBERBANK', 'sender_not_approved'],
  ['any name for a type without a check', confirmed, 'email', 'tea@tea.example', null],
  ['a type that the account cannot send', confirmed, 'push', 'MIRTEA', 'type_unavailable'],
  ['a deactivated account', inactive, 'sms', 'MIRTEA', 'account_inactive'],
  ['the demo sender before the phone is confirmed', unconfirmed, 'sms', 'demo', null],
  [
    'another sender before the phone is confirmed',
    unconfirmed,
    'sms',
    'MIRTEA',
    'phone_not_confirmed',
  ],
  [
    'a type without a check before the phone is confirmed',
    unconfirmed,
    'email',
    'tea@t.example',
    'phone_not_confirmed',
  ],
  [
    'an e-mail from the demo sender before the phone is confirmed',
    unconfirmed,
    'email',
    'DEMO',
    'phone_not_confirmed',
  ],
  [
    'a revoked demo sender',
    { ...unconfirmed, approvedSenders: new Map() },
    'sms',
    'DEMO',
    'sender_not_approved',
  ],
])('%s', (_, rules, type, sender, refusal) => {
  expect(attemptRefusal(rules, { type, sender })).toBe(refusal);
});

it.each([
  [unconfirmed, '+79990000000', 'always'],
  [unconfirmed, '+79990000099', 'always'],
  [unconfirmed, '+79161234567', 'limited'],
  [unconfirmed, '+79161234568', 'never'],
  [unconfirmed, '+799900000991', 'never'],
  [unconfirmed, '+79990000100', 'never'],
  [unconfirmed, 'anna@tea.example', 'never'],
  [{ ...unconfirmed, phone: null }, '+79161234567', 'never'],
  [confirmed, '+79161234568', 'always'],
  [confirmed, 'anna@tea.example', 'always'],
])('%o can send to %s: %s', (rules, address, reach) => {
  expect(recipientAccess(rules, address)).toBe(reach);
});

it('sender keys separate numbers from names and ignore case', () => {
  expect([senderKey('viber', 'MirTea'), senderKey('voice', '7495')]).toEqual([
    'sms:mirtea',
    'voice:7495',
  ]);
});

describe('strictestRules', () => {
  const own = { types: ['sms', 'viber', 'voice'], sendernamesCheck: ['sms'], phone: null } as const;

  it('allows the types that all allow and requires every check', () => {
    expect(strictestRules(own, [])).toBe(own);
    expect(strictestRules(own, [{}])).toEqual(own);
    expect(
      strictestRules(own, [
        { types: ['viber', 'voice', 'email'] },
        { types: ['viber', 'sms'], sendernamesCheck: ['sms', 'viber'] },
      ]),
    ).toEqual({ ...own, types: ['viber'], sendernamesCheck: ['sms', 'viber'] });
    expect(strictestRules(own, [{ types: [] }]).types).toEqual([]);
  });
});

it.each<[SendingType, string, string]>([
  ['sms', 'MIRTEA', 'MirTea'],
  ['viber', 'mirtea', 'MirTea'],
  ['sms', 'demo', 'DEMO'],
  ['voice', 'mirtea', 'mirtea'],
  ['sms', 'Other', 'Other'],
])('%s from %s is sent from %s', (type, sender, spelled) => {
  expect(approvedSpelling(confirmed, { type, sender })).toBe(spelled);
});
