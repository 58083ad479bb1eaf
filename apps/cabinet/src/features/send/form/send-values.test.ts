import { SendingInput, SendingType } from '@heliograph/contract';
import { describe, expect, it } from 'vitest';
import { saysTheSame, withTemplate } from './template-values.ts';
import {
  emptyFallback,
  emptyValues,
  entriesOf,
  isBlank,
  isSingle,
  NO_PAYLOAD,
  payloadOf,
  toInput,
  type SendValues,
} from './send-values.ts';
import { partsOf } from './type-parts.ts';

const LIST = '0190a2f0-0000-7000-8000-000000000001';
const OTHER = '0190a2f0-0000-7000-8000-000000000002';
const FILE = '0190a2f0-0000-7000-8000-000000000003';
const good: SendValues = {
  ...emptyValues('sms'),
  payload: { ...NO_PAYLOAD, sender: 'MIRTEA', text: 'Hello, {firstName|friend}!' },
  include: { lists: [LIST], typed: '8 916 123-45-67\n+79161234568, +79161234569' },
};

describe('toInput', () => {
  it('makes what the contract takes', () => {
    const input = toInput({
      ...good,
      exclude: { lists: [OTHER], typed: '+79160000000' },
      title: ' Sale ',
      hours: 3,
      when: 'later',
      at: '2026-11-22T10:00',
    });
    expect(SendingInput.safeParse(input).error).toBeUndefined();
    expect(input).toMatchObject({
      recipient: {
        include: [LIST, '8 916 123-45-67', '+79161234568', '+79161234569'],
        exclude: [OTHER, '+79160000000'],
      },
      schedule: { delay: new Date('2026-11-22T10:00').toISOString(), until: 3 },
      options: { title: 'Sale' },
    });
  });

  it('asks who clicked of bulks only', () => {
    const asked = { ...good, tellsWhoClicked: true };
    expect(toInput(asked).options).toEqual({ tellsWhoClicked: true });
    expect(SendingInput.safeParse(toInput(asked)).error).toBeUndefined();
    const one = { ...asked, include: { lists: [], typed: '+79161234567' } };
    expect(toInput(one).options).toBeUndefined();
  });

  it('has the second text while it is switched on, and for messages that say a text', () => {
    const variants = { isOn: true, text: 'Come in', share: 10, by: 'delivered' as const, hours: 8 };
    const input = toInput({ ...good, variants });
    expect(SendingInput.safeParse(input).error).toBeUndefined();
    const { isOn: _, ...sent } = variants;
    expect(input.variants).toEqual(sent);
    expect(toInput({ ...good, variants: { ...variants, isOn: false } }).variants).toBeUndefined();
    expect(toInput({ ...good, type: 'hlr', variants }).variants).toBeUndefined();
    // One recipient and two texts is a bulk that the server refuses, and no message that leaves one out.
    const one = { ...good, include: { lists: [], typed: '+79161234568' } };
    expect([isSingle(one), isSingle({ ...one, variants })]).toEqual([true, false]);
  });

  it('says when a fallback starts', () => {
    const payload = { ...NO_PAYLOAD, sender: 'MIRTEA', text: 'Again' };
    const { fallbacks } = toInput({
      ...good,
      fallbacks: [
        { ...emptyFallback('sms'), payload },
        {
          ...emptyFallback('sms'),
          payload,
          onStatus: ['failed', 'sent'],
          timeout: '',
          reply: ' yes ',
        },
      ],
    });
    expect(fallbacks!.map((f) => (f as { options: unknown }).options)).toEqual([
      {
        onStatus: [],
        onTimeout: { timeout: 50, except: ['delivered', 'seen'] },
        onIncomingPayload: null,
      },
      { onStatus: ['failed', 'sent'], onTimeout: null, onIncomingPayload: { text: 'yes' } },
    ]);
  });

  it('asks for one message when there is one address and nothing that only a bulk can do', () => {
    const one = { ...good, include: { lists: [], typed: ' +7 916 123 45 67 ' } };
    expect(toInput(one)).toMatchObject({ recipient: '+7 916 123 45 67' });
    expect(toInput(one)).not.toHaveProperty('schedule');
    for (const more of [
      { hours: 1 },
      { when: 'later' as const, at: '2026-11-22T10:00' },
      { include: { lists: [], typed: '+79161234567\n+79161234568' } },
      { include: { lists: [LIST], typed: '+79161234567' } },
      { exclude: { lists: [LIST], typed: '' } },
    ])
      expect(isSingle({ ...one, ...more })).toBe(false);
  });
});

describe('payloadOf', () => {
  const everything = {
    sender: ' MIRTEA ',
    subject: 'Tea',
    text: 'Hello',
    format: 'markdown' as const,
    image: FILE,
    file: FILE,
    video: FILE,
    audio: FILE,
    tts: 'anna',
    button: { text: 'Order', url: 'https://tea.example' },
    buttons: [{ text: 'Yes', action: 'reply' }],
  };

  it.each([
    ['sms', ['sender', 'text']],
    ['viber', ['sender', 'text', 'image', 'video', 'button']],
    ['whatsapp', ['sender', 'text', 'image', 'file', 'buttons']],
    ['email', ['sender', 'subject', 'text', 'format', 'file']],
    ['voice', ['sender', 'audio']],
    ['hlr', ['sender']],
  ] as const)('%s has the parts of its type and no others', (type, parts) => {
    expect(Object.keys(payloadOf({ type, payload: everything }))).toEqual(parts);
  });

  it('is spoken where there is no recording', () => {
    const payload = { ...NO_PAYLOAD, sender: '79001112233', text: 'Hello', tts: 'anna' };
    expect(payloadOf({ type: 'voice', payload })).toEqual({
      sender: '79001112233',
      text: 'Hello',
      tts: 'anna',
    });
  });

  it('has a right message of every type', () => {
    for (const type of SendingType.options) {
      const payload = {
        ...NO_PAYLOAD,
        sender: type === 'voice' ? '79001112233' : 'MIRTEA',
        text: '1234',
        audio: partsOf(type).audio ? FILE : null,
      };
      const input = toInput({ ...good, type, payload });
      expect([type, SendingInput.safeParse(input).error?.issues]).toEqual([type, undefined]);
    }
  });
});

describe('a template', () => {
  const template = {
    type: 'viber' as const,
    payload: { sender: 'MIRTEA', text: 'Sale', button: { text: 'Go', url: 'https://tea.example' } },
    recipient: { include: [LIST, '+79161234567'], exclude: [OTHER] },
    fallbacks: [
      {
        type: 'sms' as const,
        payload: { sender: 'MIRTEA', text: 'Sale' },
        $options: { onStatus: ['paused', 'failed'], onTimeout: { timeout: 120, except: ['seen'] } },
      },
    ],
  };
  const applied = withTemplate(emptyValues('sms'), template);

  it('brings its type, payload, recipients and fallbacks', () => {
    expect(applied).toMatchObject({
      type: 'viber',
      payload: { text: 'Sale', image: null, button: { text: 'Go' } },
      include: { lists: [LIST], typed: '+79161234567' },
      exclude: { lists: [OTHER], typed: '' },
      fallbacks: [{ type: 'sms', onStatus: ['failed'], timeout: 120, except: ['seen'], reply: '' }],
    });
    expect(SendingInput.safeParse(toInput(applied)).error).toBeUndefined();
  });

  it('without recipients leaves those that are there', () => {
    expect(withTemplate(good, { ...template, recipient: null }).include).toEqual(good.include);
  });

  it('is the same until the payload differs', () => {
    expect(saysTheSame(applied, template)).toBe(true);
    expect(saysTheSame({ ...applied, type: 'sms' }, template)).toBe(false);
    const payload = { ...applied.payload, text: 'Sale!' };
    expect(saysTheSame({ ...applied, payload }, template)).toBe(false);
  });
});

it('cuts pasted entries where lists are cut', () => {
  expect(entriesOf(' 8 916 123 45 67 \r\n+7916;+7917,,\t+7918\n')).toEqual([
    '8 916 123 45 67',
    '+7916',
    '+7917',
    '+7918',
  ]);
});

it('a chosen channel and sender alone are nothing that would be missed', () => {
  const sender = { ...NO_PAYLOAD, sender: 'MIRTEA' };
  expect(isBlank({ ...emptyValues('viber'), payload: sender })).toBe(true);
  expect(isBlank({ ...emptyValues('sms'), include: { lists: [LIST], typed: '' } })).toBe(false);
  expect(isBlank(good)).toBe(false);
});
