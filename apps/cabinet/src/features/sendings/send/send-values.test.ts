import { SendingInput } from '@heliograph/contract';
import { describe, expect, it } from 'vitest';
import {
  brokenRules,
  emptyFallback,
  emptyValues,
  fieldOf,
  phonesOf,
  toInput,
  type SendValues,
} from './send-values.ts';

const LIST = '0190a2f0-0000-7000-8000-000000000001';
const good: SendValues = {
  ...emptyValues('sms'),
  payload: { sender: 'MIRCHAY', subject: '', text: 'Hello, {firstName|friend}!' },
  lists: [LIST],
  phones: '8 916 123-45-67\n+79161234568, +79161234569',
};

describe('toInput', () => {
  it('makes what the contract takes', () => {
    const input = toInput({
      ...good,
      title: ' Sale ',
      hours: 3,
      when: 'later',
      at: '2026-11-22T10:00',
    });
    expect(SendingInput.safeParse(input).error).toBeUndefined();
    expect(input).toMatchObject({
      recipient: { include: [LIST, '8 916 123-45-67', '+79161234568', '+79161234569'] },
      schedule: { delay: new Date('2026-11-22T10:00').toISOString(), until: 3 },
      options: { title: 'Sale' },
    });
  });

  it('says when a fallback starts', () => {
    const message = { payload: { sender: 'MIRCHAY', subject: '', text: 'Again' } };
    const [silent, all] = toInput({
      ...good,
      fallbacks: [
        { ...emptyFallback('sms'), ...message },
        { ...emptyFallback('sms'), ...message, onFailed: true, timeout: '', reply: ' yes ' },
      ],
    }).fallbacks as { options: unknown }[];
    expect(silent?.options).toEqual({
      onStatus: [],
      onTimeout: { timeout: 50, except: ['delivered', 'seen'] },
      onIncomingPayload: null,
    });
    expect(all?.options).toEqual({
      onStatus: ['failed'],
      onTimeout: null,
      onIncomingPayload: { text: 'yes' },
    });
  });
});

describe('brokenRules', () => {
  it('finds nothing wrong with a whole form', () => {
    expect(brokenRules(good)).toEqual({});
  });

  it('names the fields of the form', () => {
    expect(brokenRules(emptyValues('sms'))).toEqual({
      recipients: 'recipients',
      'payload.sender': 'required',
      'payload.text': 'required',
    });
    expect(brokenRules({ ...good, when: 'later' })).toHaveProperty('at');
    expect(brokenRules({ ...good, payload: { ...good.payload, text: 'Hi {nobody}' } })).toEqual({
      'payload.text': 'variable',
    });
    const fallback = { ...emptyFallback('sms'), timeout: '' as const, payload: good.payload };
    expect(brokenRules({ ...good, fallbacks: [fallback] })).toEqual({
      'fallbacks.0.trigger': 'trigger',
    });
  });
});

it.each([
  ['payload.text', 'payload.text'],
  ['recipient.include.4', 'recipients'],
  ['recipient', 'recipients'],
  ['fallbacks.1.options.onTimeout.timeout', 'fallbacks.1.trigger'],
  ['fallbacks.1.payload.sender', 'fallbacks.1.payload.sender'],
  ['schedule.delay', 'at'],
  ['schedule.until', 'hours'],
  ['options.title', 'title'],
])('a fault of %s is shown at %s', (path, field) => {
  expect(fieldOf(path)).toBe(field);
});

it('cuts pasted numbers where lists are cut', () => {
  expect(phonesOf(' 8 916 123 45 67 \r\n+7916;+7917,,\t+7918\n')).toEqual([
    '8 916 123 45 67',
    '+7916',
    '+7917',
    '+7918',
  ]);
});
