import { describe, expect, test } from 'vitest';
import * as domain from '../index.ts';
import { ADVERSARIAL_TEXTS, findSuperlinear } from './complexity.ts';

const { compileTariffs, compileText, fitText, isWithinLimit, parseSchedule } = domain;
const now = new Date('2026-11-22T12:00:00Z');
const table = domain.parseOperators('7903,250,99,RU,Beeline');
const tariff = (tag: 'text' | 'keywords' | 'recipient', value: string) => ({
  id: 't',
  priority: 0,
  rules: [
    { id: 'r', action: 'increase' as const, price: 1, conditions: [{ tag, value }], priority: 0 },
  ],
});
const query = (text: string) => ({
  type: 'sms' as const,
  sender: text,
  phone: text,
  text,
  mccmnc: text,
  contactLists: [text],
  group: text,
});
const item = { onStatus: [], onTimeout: null, onIncomingPayload: { text: 'yes' } };
const progress = {
  attempt: 0,
  status: 'sent' as const,
  submittedAt: now,
  successorStarted: false,
  stopped: false,
  paused: false,
};
/** The first bytes of a file. */
const head = (text: string) => Uint8Array.from(text.slice(0, 4096), (char) => char.charCodeAt(0));

const firstOf = (text: string) => String.fromCodePoint(text.codePointAt(0) ?? 0);

/** Calls that pass a text to a function. Functions that are not listed receive it as every argument. */
const READERS: Partial<Record<keyof typeof domain, (text: string) => unknown>> = {
  audioSeconds: (text) => domain.audioSeconds(head(text), text.length),
  brandContrast: (text) => domain.brandContrast({ primary: text, accent: text }),
  unreadableColor: (text) => domain.unreadableColor({ primary: text, accent: text }),
  logoFacts: (text) => domain.logoFacts(head(`\xff\xd8\xff${text}`)),
  logoError: (text) => domain.logoError(head(`\xff\xd8\xff${text}`)),
  compileTariffs: (text) =>
    (['text', 'keywords', 'recipient'] as const).map((tag) =>
      compileTariffs([tariff(tag, 'code')]).price(query(text)),
    ),
  compileText: (text) => compileText(text).render({ firstName: text }),
  findOperator: (text) => domain.findOperator(table, text),
  fitText: (text) => [fitText(text, { segments: 5 }), fitText(text, { characters: 500 })],
  isTriggerActive: (text) => domain.isTriggerActive({ ...item, onIncomingPayload: { text } }),
  composeText: (text) => domain.composeText(text),
  isBlank: (text) => domain.isBlank(text),
  isWithinLimit: (text) => isWithinLimit(text, { segments: 3 }),
  isValidButtonLink: (text) => [
    domain.isValidButtonLink(text),
    domain.isValidButtonLink(`viber:${text}`),
  ],
  segmentsForType: (text) => domain.segmentsForType('sms', text),
  nextStep: (text) => domain.nextStep([item], progress, { kind: 'incoming', text, at: now }, now),
  notificationText: (text) =>
    domain.notificationText('SendernameRejected', { name: text, type: text, reason: text }),
  parseOperators: (text) => domain.parseOperators(`7903,250,99,RU,${text}\n${text}`),
  parseSchedule: (text) => parseSchedule({ delay: text, until: text }, now),
  passwordError: (text) => domain.passwordError(text, domain.PASSWORD_LIMITS),
  phoneCountry: (text) => domain.phoneCountry(`+${text}`),
  readPhones: (text) => domain.readPhones(text),
  recoveryEmail: (text) =>
    domain.recoveryEmail('en', { title: text, username: text, url: text, minutes: 5 }),
  replaceCharacterClasses: (text) => domain.replaceCharacterClasses(text, (written) => written),
  senderNameErrors: (text) => [
    domain.senderNameErrors('sms', text),
    domain.senderNameErrors('voice', text),
    domain.senderNameErrors('vk', text),
  ],
  id3TagLength: (text) => domain.id3TagLength(head(text)),
  writeInMarkdown: (text) => domain.writeInMarkdown('name', text)(text),
  // These take one character.
  startsFormula: (text) => domain.startsFormula(firstOf(text)),
  transliterate: (text) => domain.transliterate(firstOf(text), () => false),
};

/** Functions without text arguments from outside. */
const WITHOUT_TEXT_INPUT: (keyof typeof domain)[] = [
  'addMoney',
  'amountOf',
  'batchSizeFor',
  'canTransition',
  'hasPerSecondPrice',
  'deliveryRate',
  'endsTimer',
  'failureAdvice',
  'formatMoney',
  'isFinal',
  'isBilledBySegment',
  'canComputeExactly',
  'mergeReports',
  'moderationTransition',
  'moneyToNumber',
  'multiplierOf',
  'multiplyMoney',
  'notificationTone',
  'outcomeCode',
  'outcomeOf',
  'outcomeOfFailure',
  'possiblePrices',
  'maxRangeDays',
  'ScheduleError',
  'spread',
  'statusCode',
  'statusOf',
  'subtractMoney',
  'isTaskRemovable',
  'taskTransition',
  'statusImpliesOutcome',
  'transferableAmount',
  'typeCode',
  'typeOf',
  'VariableError',
];

const calls = Object.entries(domain).flatMap(
  ([name, value]): [string, (text: string) => unknown][] => {
    if (typeof value !== 'function' || WITHOUT_TEXT_INPUT.includes(name as never)) return [];
    const plain = value as (...texts: string[]) => unknown;
    return [[name, READERS[name as keyof typeof domain] ?? ((text) => plain(text, text, text))]];
  },
);

describe('adversarial texts of 100,000 characters', () => {
  test.each(calls)('%s takes linear time', (_, read) => {
    expect(findSuperlinear(read)).toEqual([]);
  });

  // Quadratic work takes seconds of one core, which others may need at the time.
  test('findSuperlinear detects quadratic time', { timeout: 600_000 }, () => {
    // oxlint-disable-next-line regexp/no-super-linear-backtracking
    const matched = /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/;
    const only = (...names: string[]) =>
      Object.fromEntries(
        Object.entries(ADVERSARIAL_TEXTS).filter(([name]) => names.includes(name)),
      );
    const emails = only('an e-mail with dots and an end', 'letters');
    expect(findSuperlinear((text) => matched.test(text), emails)).toEqual([
      expect.stringContaining('an e-mail with dots and an end'),
    ]);
    expect(findSuperlinear((text) => text.normalize(), only('combining marks', 'emoji'))).toEqual([
      expect.stringContaining('combining marks'),
    ]);
  });
});
