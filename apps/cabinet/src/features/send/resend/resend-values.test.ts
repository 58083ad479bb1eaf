import { SendingInput, type Sending } from '@heliograph/contract';
import { describe, expect, it } from 'vitest';
import { changedType, firstChoice, offeredTypes, resendInput } from './resend-values.ts';
import { brokenSending, sameAgain } from '../send.api.ts';

const OWNER = '0190a2f0-0000-7000-8000-000000000001';
const CUSTOMER = '0190a2f0-0000-7000-8000-000000000002';
const sending = (code: string | null, patch: Partial<Sending> = {}) =>
  ({
    type: 'viber',
    recipient: '+79161234567',
    payload: { sender: 'TEA', text: 'Hello', button: { text: 'Buy', url: 'https://tea.example' } },
    state: { status: code ? 'failed' : 'sent', error: null, code },
    attempt: 0,
    OwnerId: OWNER,
    ...patch,
  }) as Sending;

describe('what is offered first', () => {
  it('is another channel when the failure asks for one, with a sender of its own', () => {
    expect(firstChoice(sending('not_a_user'), ['viber', 'push', 'sms'], null)).toEqual({
      type: 'sms',
      sender: '',
      text: 'Hello',
      audio: null,
      tts: null,
    });
  });

  it('is the same again otherwise, or when there is no other', () => {
    const same = { type: 'viber', sender: 'TEA', text: 'Hello', audio: null, tts: null };
    expect(firstChoice(sending('temporary'), ['sms', 'viber'], null)).toEqual(same);
    expect(firstChoice(sending(null), ['sms', 'viber'], null)).toEqual(same);
    expect(firstChoice(sending('not_a_user'), ['viber'], null)).toEqual(same);
  });

  it('is a channel of the account when the old one is no longer there', () => {
    expect(firstChoice(sending('temporary'), ['sms'], null).type).toBe('sms');
  });
});

describe('a text in Markdown', () => {
  const payload = { sender: 'TEA', text: '**Hello**', format: 'markdown' as const };
  const email = {
    ...sending('bounced', { type: 'email', payload }),
    recipient: 'anna@tea.example',
    plain: 'Hello',
  };
  const types = ['email', 'viber', 'sms'] as const;

  it('goes without marks by another channel, and with them by e-mail again', () => {
    const values = firstChoice(email, types, null);
    expect(values.text).toBe(values.type === 'email' ? '**Hello**' : 'Hello');
    const first = { ...values, type: 'email' as const, text: '**Hello**' };
    const other = { ...first, ...changedType(email, first, 'sms') };
    expect(other).toMatchObject({ type: 'sms', sender: '', text: 'Hello' });
    expect({ ...other, ...changedType(email, other, 'email') }.text).toBe('**Hello**');
  });

  it('stays as it was written when somebody changed it', () => {
    const values = { ...firstChoice(email, types, null), type: 'email' as const, text: '*Tea*' };
    expect(changedType(email, values, 'sms')).not.toHaveProperty('text');
  });
});

describe('what is sent', () => {
  const values = { type: 'sms' as const, sender: ' TEA ', text: 'Hello', audio: null, tts: null };

  it('is a single without what the other channel cannot carry, for its owner', () => {
    expect(resendInput(sending(null), values, OWNER)).toEqual({
      type: 'sms',
      recipient: '+79161234567',
      payload: { sender: 'TEA', text: 'Hello' },
    });
    expect(resendInput(sending(null, { OwnerId: CUSTOMER }), values, OWNER).OwnerId).toBe(CUSTOMER);
  });

  it('keeps what is attached on the same channel', () => {
    const input = resendInput(sending(null), { ...values, type: 'viber' }, OWNER);
    expect(input.payload).toHaveProperty('button');
    expect(brokenSending(input)).toEqual({});
  });

  it('is checked by the contract', () => {
    const input = resendInput(sending(null), { ...values, sender: '', text: ' ' }, OWNER);
    expect(brokenSending(input)).toEqual({
      'payload.sender': 'required',
      'payload.text': 'required',
    });
  });
});

describe('a call', () => {
  const RECORDING = '0190a2f0-0000-7000-8000-000000000003';
  const call = (payload: object, patch = {}) =>
    sending(null, { type: 'voice', payload: { sender: '79001112233', ...payload }, ...patch });
  const again = (s: Sending, patch = {}) =>
    resendInput(s, { ...firstChoice(s, ['voice'], null), ...patch }, OWNER);

  it('is offered of one’s own messages, and of another’s where nobody needs to choose a recording', () => {
    const theirs = { OwnerId: CUSTOMER };
    const isOffered = (of: Sending, voice: string | null = null) =>
      offeredTypes(of, ['sms', 'voice'], OWNER, voice).includes('voice');
    expect(isOffered(sending(null))).toBe(true);
    expect(isOffered(sending(null, theirs))).toBe(false);
    expect(isOffered(sending(null, theirs), 'anna')).toBe(true);
    expect(isOffered(call({ audio: RECORDING }, theirs))).toBe(true);
    expect(isOffered(call({ text: 'Hi', tts: 'anna' }, theirs))).toBe(true);
  });

  it('plays again what it played, or another recording', () => {
    const { payload } = again(call({ audio: RECORDING }));
    expect(payload).toEqual({ sender: '79001112233', audio: RECORDING });
    expect(again(call({ audio: RECORDING }), { audio: CUSTOMER }).payload.audio).toBe(CUSTOMER);
  });

  it('is read aloud again in the same voice', () => {
    const spoken = again(call({ text: 'Hello', tts: 'anna' }), { text: 'Hi' });
    expect(spoken.payload).toEqual({ sender: '79001112233', text: 'Hi', tts: 'anna' });
    expect(brokenSending(spoken)).toEqual({});
  });

  it('reads what another channel said, where there is a voice', () => {
    const values = { ...firstChoice(sending(null), ['voice'], 'anna'), sender: '79001112233' };
    const { payload } = resendInput(sending(null), values, OWNER);
    expect(payload).toEqual({ sender: '79001112233', text: 'Hello', tts: 'anna' });
  });

  it('needs a recording in place of a message of another channel', () => {
    const bare = again(sending(null), { type: 'voice', sender: '79001112233' });
    expect(brokenSending(bare)).toEqual({ 'payload.text': 'required' });
    const chosen = { type: 'voice', sender: '79001112233', audio: RECORDING };
    const input = again(sending(null), chosen);
    expect(brokenSending(input)).toEqual({});
    expect(input.payload).not.toHaveProperty('text');
  });
});

it('writes the call that sends the same, as the contract takes it', () => {
  const options = { onStatus: ['failed'], onTimeout: null, onIncomingPayload: null };
  const fallback = {
    type: 'sms',
    payload: { sender: 'MIRTEA', text: 'Hi' },
    options,
    $options: options,
  };
  const body = sameAgain(sending(null, { fallbacks: [fallback as never] }));
  expect(body).toHaveProperty('fallbacks.0.options', options);
  expect(body).not.toHaveProperty('fallbacks.0.$options');
  expect(SendingInput.safeParse(body).success).toBe(true);
  expect(sameAgain(sending(null))).not.toHaveProperty('fallbacks');
  const second = sending(null, { attempt: 1, fallbacks: [fallback as never] });
  expect(sameAgain(second), 'it was the last of its chain').not.toHaveProperty('fallbacks');
});
