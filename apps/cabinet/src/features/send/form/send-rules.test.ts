import { ApiError } from '@heliograph/contract';
import { describe, expect, it } from 'vitest';
import {
  brokenIn,
  brokenRules,
  fieldOf,
  fieldOfCode,
  FIELDS,
  nextStep,
  previousStep,
  problemOf,
  refusedRecipients,
  stepOf,
  stepStates,
} from './send-rules.ts';
import { emptyFallback, emptyValues, NO_PAYLOAD, type SendValues } from './send-values.ts';

const LIST = '0190a2f0-0000-7000-8000-000000000001';
const NOW = new Date('2026-11-21T12:00').getTime();
const good: SendValues = {
  ...emptyValues('sms'),
  payload: { ...NO_PAYLOAD, sender: 'MIRTEA', text: 'Hello' },
  include: { lists: [LIST], typed: '' },
};
const broken = (over: Partial<SendValues>) => brokenRules({ ...good, ...over }, NOW);
const says = (over: Partial<typeof NO_PAYLOAD>) => ({ ...good.payload, ...over });

describe('brokenRules', () => {
  it('finds nothing wrong with a whole sending', () => {
    expect(broken({})).toEqual({});
  });

  it('names the fields of the wizard', () => {
    expect(brokenRules(emptyValues('sms'), NOW)).toEqual({
      include: 'recipients',
      'payload.sender': 'required',
      'payload.text': 'required',
    });
    expect(broken({ payload: says({ text: 'Hi {nobody}' }) })).toEqual({
      'payload.text': 'variable',
    });
    const button = { text: 'Go', url: 'ftp://tea.example' };
    expect(broken({ type: 'viber', payload: says({ button }) })).toEqual({
      'payload.button.url': 'url',
    });
    const added = { text: ' ', url: '' };
    expect(broken({ type: 'viber', payload: says({ button: added }) })).toEqual({
      'payload.button.text': 'required',
      'payload.button.url': 'required',
    });
    const none = { text: '', action: '' };
    expect(broken({ type: 'vk', payload: says({ buttons: [none] }) })).toEqual({
      'payload.buttons.0.text': 'required',
      'payload.buttons.0.action': 'required',
    });
    const fallback = { ...emptyFallback('sms'), timeout: '' as const, payload: good.payload };
    expect(broken({ fallbacks: [fallback] })).toEqual({ 'fallbacks.0.trigger': 'trigger' });
    const always = { ...fallback, timeout: 60, except: [] };
    expect(broken({ fallbacks: [always] })).toEqual({ 'fallbacks.0.except': 'trigger_except' });
  });

  it('finds a field for more buttons than the channel takes, and for a fallback too many', () => {
    const buttons = Array.from({ length: 4 }, (_, i) => ({ text: `B${i}`, action: 'go' }));
    const many = { type: 'whatsapp' as const, payload: says({ buttons }) };
    expect(broken(many)).toEqual({ 'payload.buttons': 'too_many' });
    const fallbacks = [{ ...emptyFallback('whatsapp'), timeout: 60, ...many }];
    expect(broken({ fallbacks })).toEqual({ 'fallbacks.0.payload.buttons': 'too_many' });
    expect(FIELDS.has('fallbacks.*.payload.buttons')).toBe(true);
    expect(stepOf('payload.buttons')).toBe('message');
  });

  it('says what is wrong without the path of a field, whatever it is', () => {
    const t = ((key: string, values: Record<string, string> = {}) =>
      key === 'errors:field' ? `${values.field}: ${values.problem}` : key) as never;
    for (const path of [
      'payload.made.up',
      'payload.buttons',
      'fallbacks',
      'schedule.x',
      '',
      'a.0',
    ]) {
      const text = problemOf(t, fieldOf(path), 'too_big');
      expect(text).toMatch(
        /^(?:send:field|send:step|errors:fieldName)\.\w+: errors:rule\.too_big$/,
      );
    }
    expect(problemOf(t, 'payload.made.up', 'too_big')).toBe(
      'send:step.message: errors:rule.too_big',
    );
  });

  it('refuses who is typed on both sides, before any call', () => {
    const both = { recordings: true, conflict: true };
    expect(brokenRules(good, NOW, both)).toEqual({ exclude: 'both' });
    expect(brokenRules(good, NOW, { ...both, conflict: null })).toEqual({});
  });

  it('wants a time that is still to come', () => {
    expect(broken({ when: 'later' })).toEqual({ at: 'required' });
    expect(broken({ when: 'later', at: '2026-11-21T11:59' })).toEqual({ at: 'past' });
    expect(broken({ when: 'later', at: '2026-11-21T12:01' })).toEqual({});
    expect(broken({ when: 'later', at: '2027-11-21T12:00' })).toEqual({});
    expect(broken({ when: 'later', at: '2027-11-23T12:00' })).toEqual({ at: 'far' });
  });

  it('plays recordings only where the tariff counts seconds', () => {
    const payload = says({ sender: '79001112233', text: '', audio: LIST });
    const call = { type: 'voice' as const, payload };
    const values = { ...good, ...call, fallbacks: [{ ...emptyFallback('voice'), ...call }] };
    expect(brokenRules(values, NOW, { recordings: true })).toEqual({});
    expect(brokenRules(values, NOW, { recordings: false })).toEqual({
      'payload.audio': 'seconds',
      'fallbacks.0.payload.audio': 'seconds',
    });
    const spoken = { ...call, payload: says({ sender: '79001112233', tts: 'anna' }) };
    expect(brokenRules({ ...good, ...spoken }, NOW, { recordings: false })).toEqual({});
  });

  it('keeps an entry on one side', () => {
    expect(broken({ exclude: { lists: [LIST], typed: '' } })).toEqual({ exclude: 'both' });
    const typed = '+79161234567';
    const both = { include: { lists: [], typed }, exclude: { lists: [], typed } };
    expect(broken(both)).toEqual({ exclude: 'both' });
  });

  it('does not choke on a line that is no address', () => {
    expect(broken({ include: { lists: [LIST], typed: 'x'.repeat(255) } })).toEqual({
      include: 'too_big',
    });
  });
});

it.each([
  ['payload.text', 'payload.text', 'message'],
  ['recipient.include.4', 'include', 'recipients'],
  ['recipient', 'include', 'recipients'],
  ['recipient.exclude', 'exclude', 'recipients'],
  ['fallbacks.1.$options.onTimeout.timeout', 'fallbacks.1.trigger', 'message'],
  ['fallbacks.1.$options.onTimeout.except.0', 'fallbacks.1.except', 'message'],
  ['fallbacks.1.payload.sender', 'fallbacks.1.payload.sender', 'message'],
  ['schedule.delay', 'at', 'message'],
  ['schedule.until', 'hours', 'message'],
  ['options.title', 'title', 'send'],
])('a fault of %s is shown at %s, on the step %s', (path, field, step) => {
  expect(fieldOf(path)).toBe(field);
  expect(stepOf(field)).toBe(step);
});

it('a refusal by code has a field where it is about one', () => {
  const fallbacks = [{ ...emptyFallback('sms'), payload: good.payload }];
  expect(fieldOfCode('no_recipients', good, [])).toBe('include');
  expect(fieldOfCode('sender_not_approved', good, ['sms'])).toBe('payload.sender');
  expect(fieldOfCode('sender_not_registered', good, [])).toBe('payload.sender');
  expect(fieldOfCode('sender_not_approved', { ...good, type: 'viber', fallbacks }, ['sms'])).toBe(
    'fallbacks.0.payload.sender',
  );
  expect(fieldOfCode('insufficient_funds', good, ['sms'])).toBeNull();
});

describe('steps', () => {
  it('are where one is, complete, or still to do', () => {
    expect(stepStates('message', {})).toEqual({
      message: 'process',
      recipients: 'success',
      send: 'init',
    });
    expect(stepStates('send', { include: 'recipients', title: 'too_big' })).toEqual({
      message: 'success',
      recipients: 'init',
      send: 'process',
    });
    expect(stepStates('recipients', { 'payload.text': 'required' }).message).toBe('init');
  });

  it('follow one another', () => {
    expect([nextStep('message'), nextStep('recipients'), nextStep('send')]).toEqual([
      'recipients',
      'send',
      null,
    ]);
    expect([previousStep('message'), previousStep('send')]).toEqual([null, 'recipients']);
  });

  it('have their own faults', () => {
    expect(brokenIn('recipients', { include: 'recipients', at: 'past' })).toEqual({
      include: 'recipients',
    });
  });
});

it('what the server says against the recipients is broken, and nothing else that it says', () => {
  const refused = (body: object) =>
    refusedRecipients(new ApiError(422, body as never, new Headers()));
  const fields = [
    { field: 'recipient.exclude', type: 'both', message: 'The recipient is on both sides.' },
    { field: 'payload.text', type: 'required', message: 'Say something.' },
  ];
  expect(refused({ code: 'validation', data: fields })).toEqual({ exclude: 'both' });
  expect(refused({ code: 'no_recipients' })).toEqual({ include: 'no_recipients' });
  expect(refused({ code: 'no_price' })).toEqual({});
  for (const other of [null, new Error('offline')]) expect(refusedRecipients(other)).toEqual({});
});
