import { contentOf, STATUS, type SubmitFields, type SubmitOutcome, textOf } from '@heliograph/smpp';
import { describe, expect, it } from 'vitest';

import type { OutgoingMessage } from '../channel.ts';
import { SmppOptions } from './options.ts';
import { Submits } from './submit.ts';

const account = { url: 'smpp://smsc.example', systemId: 'helio', password: 'secret' };
const signal = new AbortController().signal;
const message: OutgoingMessage = {
  reference: 'a',
  type: 'sms',
  sender: 'Helio',
  recipient: '+79161234567',
  payload: { text: 'Hello' },
  segments: 1,
  tries: 0,
};
const LONG = { ...message, payload: { text: '0123456789'.repeat(40) } };

/** What is submitted, and the result when the parts fare like this; the last outcome is that of all further parts. */
async function submit(
  options: object,
  one: Partial<OutgoingMessage>,
  outcomes: SubmitOutcome[] = [{ outcome: 'accepted', messageId: '1' }],
) {
  const parts: SubmitFields[] = [];
  const link = {
    submit(submitted: SubmitFields[]) {
      parts.push(...submitted);
      return Promise.resolve(submitted.map((_, i) => outcomes[i] ?? outcomes.at(-1)!));
    },
  };
  const submits = new Submits(SmppOptions.parse({ ...account, ...options }));
  const result = await submits.submit(link, { ...message, ...one }, signal);
  return { parts, result };
}

const accepted = (messageId: string): SubmitOutcome => ({ outcome: 'accepted', messageId });
const refused = (status: number): SubmitOutcome => ({ outcome: 'refused', status });
const throttled: SubmitOutcome = {
  outcome: 'throttled',
  status: STATUS.ESME_RTHROTTLED,
  retryMs: 1_500,
};
const unknown: SubmitOutcome = { outcome: 'unknown', reason: 'The connection was closed' };
const unsent: SubmitOutcome = { outcome: 'unsent', reason: 'The message cannot be completed' };
const reads = (parts: SubmitFields[], alphabet: 'gsm' | 'latin1' | 'packed' = 'gsm') =>
  parts
    .map((part) =>
      textOf(
        contentOf(
          { command: 'deliver_sm', esmClass: 0, dataCoding: 0, tlvs: [], ...part } as never,
          alphabet,
        ),
      ),
    )
    .join('');

describe('the result of a message', () => {
  it.each<[string, SubmitOutcome[], object | undefined]>([
    [
      'all parts accepted',
      [accepted('7'), accepted('9'), accepted('8')],
      { result: 'accepted', externalIds: ['7', '9', '8'] },
    ],
    ['accepted without ids', [accepted('')], { result: 'accepted' }],
    ['the first is unknown', [unknown, unsent], undefined],
    ['a later one is unknown', [accepted('7'), unknown, accepted('8')], undefined],
    ['the first did not leave', [unsent], { result: 'unsent' }],
    ['the first is throttled', [throttled, unsent], { result: 'throttled', retryAfter: 1_500 }],
    [
      'a later one is refused',
      [accepted('7'), accepted('8'), refused(STATUS.ESME_RSUBMITFAIL)],
      { result: 'rejected', code: 'partial', text: 'ESME_RSUBMITFAIL' },
    ],
    [
      'a later one is throttled for too long',
      [accepted('7'), throttled],
      { result: 'rejected', code: 'partial', text: 'ESME_RTHROTTLED' },
    ],
    [
      'the session ends after the first: no later session has the rest',
      [accepted('7'), unknown, unsent],
      { result: 'rejected', code: 'partial', text: 'The message cannot be completed' },
    ],
  ])('%s', async (_, outcomes, expected) => {
    const { parts, result } = await submit({}, LONG, outcomes);
    expect(parts).toHaveLength(3);
    expect(result).toEqual(expected && { reference: 'a', ...expected });
  });

  it.each([
    [STATUS.ESME_RINVMSGLEN, 'too_long', 'ESME_RINVMSGLEN'],
    [STATUS.ESME_RINVSRCADR, 'rejected_sender', 'ESME_RINVSRCADR'],
    [STATUS.ESME_RINVSRCTON, 'rejected_sender', 'ESME_RINVSRCTON'],
    [STATUS.ESME_RINVDSTADR, 'invalid_recipient', 'ESME_RINVDSTADR'],
    [STATUS.ESME_RINVDSTNPI, 'invalid_recipient', 'ESME_RINVDSTNPI'],
    [STATUS.ESME_RSUBMITFAIL, 'rejected', 'ESME_RSUBMITFAIL'],
    [STATUS.ESME_RX_P_APPN, 'rejected', 'ESME_RX_P_APPN'],
    [STATUS.ESME_RX_R_APPN, 'rejected', 'ESME_RX_R_APPN'],
    [STATUS.ESME_RDELIVERYFAILURE, 'undeliverable', 'ESME_RDELIVERYFAILURE'],
    [STATUS.ESME_RINVPASWD, 'not_authorized', 'ESME_RINVPASWD'],
    [STATUS.ESME_RINVSERTYP, 'rejected', 'ESME_RINVSERTYP'],
    [0x410, 'rejected', '0x410'],
    [0x411, 'blocked', '0x411'],
  ])('refused with %i: %s, in the words of the carrier', async (status, code, text) => {
    const { result } = await submit({ errors: '0x0411=blocked' }, {}, [refused(status)]);
    expect(result).toEqual({ reference: 'a', result: 'rejected', code, text });
  });

  it.each([STATUS.ESME_RSYSERR, STATUS.ESME_RX_T_APPN, STATUS.ESME_RINVBNDSTS])(
    'refused with %i: submitted again later, unless the channel knows better',
    async (status) => {
      const later = await submit({}, {}, [refused(status)]);
      expect(later.result).toEqual({ reference: 'a', result: 'throttled', retryAfter: 30_000 });
      const errors = `0x${status.toString(16)}=blocked`;
      const known = await submit({ errors }, {}, [refused(status)]);
      expect(known.result).toMatchObject({ result: 'rejected', code: 'blocked' });
    },
  );

  it.each([
    ['text', '00a1', '00a1'],
    ['hex', '00A1', '161'],
    ['decimal', '000161', '161'],
    ['decimal', '00a1', '00a1'],
    ['text', '7f3c1b0e-6f43-4c39-9b53-d9a1c8f2b7aa', '7f3c1b0e-6f43-4c39-9b53-d9a1c8f2b7aa'],
  ])('has ids as its receipts have them: %s %s', async (answerIds, id, externalId) => {
    const { result } = await submit({ answerIds }, {}, [accepted(id)]);
    expect(result).toMatchObject({ externalIds: [externalId] });
  });
});

describe('a message on the wire', () => {
  it('asks for a receipt of each part, all with one reference', async () => {
    const { parts } = await submit({}, LONG);
    expect(parts.map((part) => part.registeredDelivery)).toEqual([1, 1, 1]);
    const headers = parts.map((part) => [...part.shortMessage!.subarray(0, 6)]);
    expect(new Set(headers.map((header) => header[3]))).toHaveProperty('size', 1);
    expect(headers.map((header) => header.slice(4))).toEqual([
      [3, 1],
      [3, 2],
      [3, 3],
    ]);
  });

  it('has another reference than the one before', async () => {
    const submits = new Submits(SmppOptions.parse({ ...account, long: 'udh16' }));
    const references: number[] = [];
    const link = {
      submit(parts: SubmitFields[]) {
        references.push(parts[0]!.shortMessage!.readUInt16BE(3));
        return Promise.resolve(parts.map(() => accepted('1')));
      },
    };
    for (let i = 0; i < 300; i++) await submits.submit(link, LONG, signal);
    expect(new Set(references).size).toBe(300);
  });

  /** The text of the traps: letters that differ between GSM 03.38, ASCII and Latin-1. */
  const GSM = '@£$_{}[]~^|€àéñü';
  it.each([
    // Where 0 means GSM, the alphabet's own places are used.
    [{}, GSM, 0, 'gsm'],
    [{ dataCoding: 241 }, GSM, 241, 'gsm'],
    [{ alphabet: 'packed' }, GSM, 0, 'packed'],
    // Latin-1 has no euro, ASCII no pound: such texts go as UCS-2, and nothing is lost.
    [{ alphabet: 'latin1' }, GSM, 8, 'gsm'],
    [{ alphabet: 'latin1' }, '@£$_{}[]~^|àéñü', 0, 'latin1'],
    [{ alphabet: 'latin1', dataCoding: 3 }, '@£$_àéñü', 3, 'latin1'],
    [{ alphabet: 'ascii' }, '£', 8, 'gsm'],
    [{ alphabet: 'ascii', dataCoding: 1 }, '@$_{}[]~^|', 1, 'latin1'],
    // What GSM lacks is UCS-2 even where Latin-1 has it: the network speaks GSM.
    [{ alphabet: 'latin1' }, 'ç á í', 8, 'gsm'],
    [{}, `${GSM}Я`, 8, 'gsm'],
    [{ ucs2DataCoding: 24 }, 'Я', 24, 'gsm'],
  ] as const)('of %j: %s', async (options, text, dataCoding, alphabet) => {
    const { parts } = await submit(options, { payload: { text } });
    expect(parts).toHaveLength(1);
    expect(parts[0]!.dataCoding).toBe(dataCoding);
    expect(reads(parts, alphabet)).toBe(text);
  });

  it('has letters beyond GSM with the high octet first', async () => {
    const { parts } = await submit({}, { payload: { text: 'ç' } });
    expect(parts[0]!.shortMessage).toEqual(Buffer.from([0x00, 0xe7]));
  });

  it.each(['udh8', 'udh16', 'sar', 'payload'] as const)(
    'is joined by %s, its text in one place only',
    async (long) => {
      const { parts } = await submit({ long }, LONG);
      expect(parts).toHaveLength(long === 'payload' ? 1 : 3);
      for (const { shortMessage, tlvs, esmClass } of parts) {
        const hasPayload = tlvs!.some(({ tag }) => tag === 0x0424);
        expect(shortMessage!.length > 0).toBe(!hasPayload);
        expect(esmClass).toBe(long.startsWith('udh') ? 0x40 : 0);
      }
      expect(reads(parts)).toBe(LONG.payload.text);
    },
  );

  it.each([
    ['Helio', { sourceAddrTon: 5, sourceAddrNpi: 0, sourceAddr: 'Helio' }],
    ['+79990000000', { sourceAddrTon: 1, sourceAddrNpi: 1, sourceAddr: '79990000000' }],
    ['79990000000', { sourceAddrTon: 1, sourceAddrNpi: 1, sourceAddr: '79990000000' }],
    ['7878', { sourceAddrTon: 3, sourceAddrNpi: 0, sourceAddr: '7878' }],
  ])('from %s says what kind of address that is', async (sender, source) => {
    const { parts } = await submit({}, { sender });
    expect(parts[0]).toMatchObject({
      ...source,
      destAddrTon: 1,
      destAddrNpi: 1,
      destinationAddr: '79161234567',
    });
  });

  it('has what the channel says of addresses, kind, priority and validity', async () => {
    const options = {
      senderName: '5/1',
      senderShort: '0/9',
      recipient: '2/8',
      serviceType: 'CMT',
      priorityFlag: 2,
      validitySeconds: 3_600,
    };
    const { parts } = await submit(options, { sender: '7878' });
    expect(parts[0]).toMatchObject({
      sourceAddrTon: 0,
      sourceAddrNpi: 9,
      destAddrTon: 2,
      destAddrNpi: 8,
      serviceType: 'CMT',
      priorityFlag: 2,
      validityPeriod: '000000010000000R',
      protocolId: 0,
    });
    expect((await submit(options, {})).parts[0]).toMatchObject({
      sourceAddrTon: 5,
      sourceAddrNpi: 1,
    });
    expect((await submit({}, {})).parts[0]!.validityPeriod).toBe('');
  });

  it.each([
    [undefined, 600, '000000001000000R'],
    [3_600, 600, '000000001000000R'],
    [300, 600, '000000000500000R'],
  ])(
    'is valid for the shorter time: channel %s, message %d',
    async (validitySeconds, seconds, span) => {
      const validity = { seconds, until: '2026-07-01T12:00:00.000Z' };
      const { parts } = await submit({ validitySeconds }, { validity });
      expect(parts[0]!.validityPeriod).toBe(span);
    },
  );

  it('that only pings shows nothing', async () => {
    const { parts, result } = await submit({}, { type: 'smsping', payload: {} });
    expect(result).toMatchObject({ result: 'accepted' });
    expect(parts).toMatchObject([{ protocolId: 0x40, registeredDelivery: 1 }]);
  });

  it.each([
    [{ type: 'viber' }, 'unsupported'],
    [{ payload: {} }, 'invalid_payload'],
    [{ payload: { text: 'Я'.repeat(20_000) } }, 'too_long'],
  ] as const)('that is no SMS is not submitted: %j', async (one, code) => {
    const { parts, result } = await submit({}, one as Partial<OutgoingMessage>);
    expect(parts).toEqual([]);
    expect(result).toEqual({ reference: 'a', result: 'rejected', code });
  });
});
