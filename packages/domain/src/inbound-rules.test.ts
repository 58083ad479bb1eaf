import { expect, test } from 'vitest';
import {
  createInboundMatcher,
  inboundHold,
  isKeyword,
  isPersonAddress,
  MAX_REPLIES_PER_PERSON,
  replyHold,
  type InboundMessage,
  type InboundMode,
  type ReplyFacts,
} from './inbound-rules.ts';

const message = (text: string, given: Partial<InboundMessage> = {}): InboundMessage => ({
  type: 'sms',
  from: '+79161234567',
  to: 'MIRTEA',
  text,
  ...given,
});
const rule = (mode: InboundMode, keywords: string[], given: object = {}) => ({
  name: `${mode} ${keywords.join()}`,
  types: [],
  sender: null,
  mode,
  keywords,
  isContinued: false,
  ...given,
});
const isMatch = (mode: InboundMode, keyword: string, text: string): boolean =>
  createInboundMatcher([rule(mode, [keyword])])(message(text)).length > 0;

test.each<[InboundMode, string, string, boolean]>([
  ['equals', 'да', ' «ДА!» ', true],
  ['equals', 'да', 'да, конечно', false],
  ['equals', 'Ещё чай', 'еще  ЧАЙ.', true],
  ['equals', 'ещё', 'еще', true],
  ['equals', 'cafe', 'Café', true],
  ['equals', 'café', 'CAFÉ', true],
  ['equals', 'yes', 'ＹＥＳ', true],
  ['equals', 'домой', 'домои', false],
  ['equals', '+', ' + ', true],
  ['equals', '+', '++', false],
  ['equals', '👍', '👍🏽', true],
  ['equals', '❤️', '❤', true],
  ['equals', '5', '5', true],
  ['starts', 'цена', 'Цена, пожалуйста?', true],
  ['starts', 'цена', 'ценами интересуюсь', false],
  ['starts', 'цена', 'Какая цена', false],
  ['starts', 'order a1', 'Order: A1 today', true],
  ['contains', 'цена', 'Скажите — цена?', true],
  ['contains', 'цена', 'бесценна', false],
  ['contains', 'call me', 'please, call... me', true],
  ['contains', 'call me', 'call him, me too', false],
  ['contains', '👍', 'Спасибо 👍!', true],
  ['contains', 'کتاب', 'این کتاب است', true],
  ['contains', '(.*)+$', 'anything', false],
  ['any', '', '', true],
])('%s %j in %j: %s', (mode, keyword, text, expected) => {
  expect(isMatch(mode, keyword, text)).toBe(expected);
});

test('an empty message and one of other characters match no keyword', () => {
  for (const text of ['', '   ', '...', '\u0000', '\ud800', '\u200b'])
    for (const mode of ['equals', 'starts', 'contains'] as const)
      expect(isMatch(mode, 'да', text)).toBe(false);
});

test('hostile messages are matched in full', () => {
  const long = 'я'.repeat(9_990);
  expect(isMatch('contains', 'цена', `${long} цена`)).toBe(true);
  expect(isMatch('equals', 'я', long)).toBe(false);
  const marks = `e${'\u0301'.repeat(9_998)}`;
  expect(isMatch('equals', 'e', marks)).toBe(true);
  expect(isMatch('contains', 'a b', 'a '.repeat(5_000))).toBe(false);
  expect(isMatch('contains', '😀', '👨‍👩‍👧'.repeat(1_000))).toBe(false);
});

test('the first rule is applied; a continued one lets the next see the message', () => {
  const rules = [
    rule('contains', ['sale'], { types: ['viber'] }),
    rule('contains', ['sale'], { sender: 'OTHER' }),
    rule('contains', ['sale'], { isContinued: true, name: 'first' }),
    rule('any', [], { sender: 'mirtea', name: 'second' }),
    rule('any', [], { name: 'third' }),
  ];
  const names = (given: InboundMessage) =>
    createInboundMatcher(rules)(given).map(({ name }) => name);
  expect(names(message('Sale'))).toEqual(['first', 'second']);
  expect(names(message('hello', { to: 'SHOP' }))).toEqual(['third']);
  expect(names(message('sale', { type: 'viber' }))).toEqual(['contains sale']);
});

const facts: ReplyFacts = {
  isSuppressed: false,
  isOwnNumber: false,
  lastTexts: [],
  repliesToPerson: 0,
  repliesLeft: 1,
  isCooling: false,
};

test.each<[string | null, Partial<InboundMessage>, Partial<ReplyFacts>]>([
  [null, {}, {}],
  [null, { from: 'anna@example.com', type: 'email' }, {}],
  ['no_text_type', { type: 'voice' }, {}],
  ['no_text_type', { type: 'hlr' }, {}],
  ['no_address', { from: 'BANK' }, {}],
  ['own_number', { to: '+79161234567' }, {}],
  ['own_number', {}, { isOwnNumber: true }],
  ['unsubscribed', {}, { isSuppressed: true }],
  ['echo', {}, { lastTexts: ['Other', 'Thank you!'] }],
  [null, { text: '' }, { lastTexts: ['...'] }],
  ['cooldown', {}, { isCooling: true }],
  ['person_limit', {}, { repliesToPerson: MAX_REPLIES_PER_PERSON }],
  ['account_limit', {}, { repliesLeft: 0 }],
])('a reply is held back: %s', (hold, given, known) => {
  expect(replyHold(message('thank you', given), { ...facts, ...known })).toBe(hold);
});

test('keywords and addresses', () => {
  expect(['+', '👍', 'да', '5'].map(isKeyword)).toEqual([true, true, true, true]);
  expect(['', ' ', '!?', '\u200b'].map(isKeyword)).toEqual([false, false, false, false]);
  expect(['+79161234567', 'a@b.example', 'BANK', '900'].map(isPersonAddress)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([inboundHold('no_price'), inboundHold('provider_timeout')]).toEqual([
    'no_price',
    'failed',
  ]);
});
