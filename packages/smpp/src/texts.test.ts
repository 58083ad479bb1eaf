import { countSegments } from '@heliograph/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { addressOf, senderOf } from './addresses.ts';
import {
  type Alphabet,
  alphabetOf,
  decodeText,
  encodeText,
  fromSeptets,
  pack,
  toSeptets,
  unpack,
} from './alphabets.ts';
import { contentOf, textOf } from './incoming.ts';
import { decodePdu, encodePdu } from './pdu.ts';
import { Reassembly, type WholeMessage, joinedText } from './reassembly.ts';
import { TEXT_OPTIONS, type TextOptions, type TextPart, partsOf } from './texts.ts';
import { formatSpan, formatTime, parseTime } from './times.ts';
import { tlvOf } from './tlvs.ts';

/** The text that shows how a carrier reads data_coding 0. */
const SAMPLE = '@£$_{}[]~^|€àéñü';
const options = (some: Partial<TextOptions>): TextOptions => ({ ...TEXT_OPTIONS, ...some });
const hexOf = (parts: TextPart[]) => parts.map((part) => part.shortMessage.toString('hex'));

describe('alphabets', () => {
  it.each([
    ['gsm', SAMPLE, '0001021 11b281b291b3c1b3e1b3d1b141b401b657f057d7e'],
    ['gsm', 'hello', '68656c6c6f'],
    ['gsm', 'ÄÖ¿Δ\n', '5b5c60100a'],
    ['packed', 'hellohello', 'e8329bfd4697d9ec37'],
    ['packed', 'a'.repeat(8), 'e170381c0e87c3'],
    // Seven septets leave seven bits, which would be an `@`.
    ['packed', 'aaaaaaa', 'e170381c0e871b'],
    ['ascii', 'a{', '617b'],
    ['latin1', 'é£', 'e9a3'],
    ['ucs2', 'çЯ😀', '00e7042fd83dde00'],
  ] as const)('%s writes %j', (alphabet, text, hex) => {
    expect(encodeText(text, alphabet)!.toString('hex')).toBe(hex.replace(' ', ''));
  });

  it.each([
    ['gsm', 'ç'],
    ['gsm', 'Я'],
    ['packed', '`'],
    ['ascii', 'é'],
    ['latin1', '€'],
    ['latin1', 'Δ'],
  ] as const)('%s lacks %j', (alphabet, char) => {
    expect(encodeText(char, alphabet)).toBeUndefined();
  });

  it('GSM text comes back from septets, packed with any fill', () => {
    const gsm = fc.string({ unit: fc.constantFrom(...SAMPLE, ...'aZ 09\n'), maxLength: 200 });
    fc.assert(
      fc.property(gsm, fc.nat(6), (text, fill) => {
        const septets = toSeptets(text)!;
        expect(fromSeptets(septets)).toBe(text);
        expect(fromSeptets(unpack(pack(septets, fill), fill))).toBe(text);
      }),
    );
  });

  it('reads what no text of ours has: escapes of nothing, half characters', () => {
    expect(fromSeptets(Buffer.from([0x61, 0x1b, 0x41, 0x1b, 0x1b, 0x1b]))).toBe('aA ');
    expect(decodeText(Buffer.from('042f04', 'hex'), 'ucs2')).toBe('Я');
    expect(decodeText(Buffer.from('d83d0041', 'hex'), 'ucs2')).toBe('\ufffdA');
    expect(decodeText(Buffer.from('ff00', 'hex'), 'binary')).toBe('ff00');
  });

  it.each([
    [0x00, 'gsm'],
    [0x01, 'ascii'],
    [0x02, 'binary'],
    [0x03, 'latin1'],
    [0x04, 'binary'],
    [0x06, 'coding 6'],
    [0x08, 'ucs2'],
    [0x0b, 'gsm'],
    [0x10, 'gsm'],
    [0x14, 'binary'],
    [0x18, 'ucs2'],
    [0xc0, 'gsm'],
    [0xe0, 'ucs2'],
    [0xf0, 'gsm'],
    [0xf5, 'binary'],
  ])('data_coding %i', (coding, alphabet) => {
    expect(alphabetOf(coding, 'gsm')).toBe(alphabet);
  });

  it.each([
    [5, '82a0', 'あ'],
    [6, 'cf', 'Я'],
    [7, 'e0', 'א'],
    [14, 'b0a1', '가'],
  ])('data_coding %i is read', (coding, hex, text) => {
    expect(decodeText(Buffer.from(hex, 'hex'), alphabetOf(coding, 'gsm'))).toBe(text);
  });
});

describe('national tables', () => {
  const read = (header: string, octets: string, alphabet: Alphabet = 'gsm') =>
    textOf(
      contentOf(
        {
          esmClass: 0x40,
          dataCoding: 0,
          shortMessage: Buffer.from(header + octets, 'hex'),
          tlvs: [],
        },
        alphabet,
      ),
    );

  it.each([
    [
      'Turkish after an escape',
      '03240101',
      '1b471b491b531b631b671b691b73 1b65 07 60',
      'ĞİŞçğış€ì¿',
    ],
    ['Turkish', '03250101', '04070b0c1c1d4060 1b65 41', '€ıĞğŞşİç€A'],
    ['both', '06240101250101', '07 1b63 60', 'ıçç'],
    ['Spanish', '03240102', '1b091b411b491b4f1b551b611b691b6f1b75 09', 'çÁÍÓÚáíóúÇ'],
    [
      'Portuguese after an escape',
      '03240103',
      '1b051b0b1b1f1b411b5b1b5c1b7b1b7c1b7f1b28',
      'êÔÊÀÃÕãõâ{',
    ],
    [
      'Portuguese',
      '03250103',
      '040607080912141718191a1c1d1e24 5b5c5d607b7c7d',
      'êúíóçªÀ\\€Ó|ÂâÊºÃÕÚ~ãõ`',
    ],
    ['a language that is not known', '0324010d', '41 1b41', 'AA'],
    ['an element of another length', '0424020101', '1b63', 'c'],
  ])('%s', (_, header, octets, text) => {
    expect(read(header, octets.replaceAll(' ', ''))).toBe(text);
  });

  it('are of septets alone, packed or not', () => {
    const packed = pack(Buffer.from('61 1b63'.replace(' ', ''), 'hex'), 3).toString('hex');
    expect(read('03240101', packed, 'packed')).toBe('aç');
    expect(read('03240101', '1b63', 'latin1')).toBe('\x1bc');
  });

  it('are those of each part', () => {
    const part = (header: string) => ({
      octets: Buffer.from('1b63', 'hex'),
      alphabet: contentOf(
        { esmClass: 0x40, dataCoding: 0, shortMessage: Buffer.from(header, 'hex'), tlvs: [] },
        'gsm',
      ).alphabet,
    });
    const parts = [part('03240101'), part('0500030702 02'.replace(' ', ''))];
    expect(joinedText(2, new Map(parts.map((one, i) => [i + 1, one])))).toBe('çc');
  });
});

describe('parts', () => {
  it('have a header of 8 or 16 bits, or parameters, or are one payload', () => {
    const text = 'a'.repeat(161);
    const udh8 = partsOf(text, options({}), 0x1234);
    expect(udh8.map((part) => part.esmClass)).toEqual([0x40, 0x40]);
    expect(hexOf(udh8).map((hex) => hex.slice(0, 14))).toEqual([
      '05000334020161',
      '05000334020261',
    ]);
    expect(udh8.map((part) => part.shortMessage.length)).toEqual([159, 14]);
    const udh16 = partsOf(text, options({ long: 'udh16' }), 0x1234);
    expect(hexOf(udh16).map((hex) => hex.slice(0, 16))).toEqual([
      '0608041234020161',
      '0608041234020261',
    ]);
    expect(udh16[0]!.shortMessage).toHaveLength(159);
    const sar = partsOf(text, options({ long: 'sar' }), 0x1234);
    expect(sar.map(({ esmClass, shortMessage }) => [esmClass, shortMessage.length])).toEqual([
      [0, 153],
      [0, 8],
    ]);
    expect(sar.map(({ tlvs }) => tlvOf(tlvs, 'sarSegmentSeqnum'))).toEqual([1, 2]);
    expect(tlvOf(sar[1]!.tlvs, 'sarMsgRefNum')).toBe(0x1234);
    const [payload, ...rest] = partsOf(text, options({ long: 'payload' }), 1);
    expect(rest).toEqual([]);
    expect(payload!.shortMessage).toHaveLength(0);
    expect(tlvOf(payload!.tlvs, 'messagePayload')).toHaveLength(161);
  });

  it('of packed texts fit into 140 octets and begin behind their header on a septet', () => {
    const parts = partsOf('a'.repeat(307), options({ alphabet: 'packed' }), 1);
    expect(parts.map((part) => part.shortMessage.length)).toEqual([140, 140, 7]);
    // One bit of fill, then `a` (0x61) from the second bit on.
    expect(parts[0]!.shortMessage[6]).toBe(0xc2);
  });

  it('a short text has no header', () => {
    expect(hexOf(partsOf('a€', options({}), 9))).toEqual(['611b65']);
    expect(partsOf('a', options({}), 9)[0]!.esmClass).toBe(0);
    expect(hexOf(partsOf('', options({}), 9))).toEqual(['']);
    expect(partsOf('a', options({ long: 'payload' }), 9)[0]!.tlvs).toEqual([]);
  });

  it('have the data_coding of the carrier', () => {
    expect(partsOf('é', options({ alphabet: 'latin1', dataCoding: 3 }), 0)[0]).toMatchObject({
      dataCoding: 3,
      shortMessage: Buffer.from([0xe9]),
    });
    // GSM has the euro and Latin-1 has not, Latin-1 has ç and GSM has not: both are UCS-2.
    for (const text of ['1 €', 'ça']) {
      const parts = partsOf(text, options({ alphabet: 'latin1', dataCoding: 3 }), 0);
      expect(parts[0]!.dataCoding).toBe(8);
    }
    expect(partsOf('€'.repeat(71), options({ alphabet: 'latin1' }), 0)).toHaveLength(2);
    expect(partsOf('Я', options({ ucs2DataCoding: 0x18 }), 0)[0]!.dataCoding).toBe(0x18);
  });

  it('are at most 255', () => {
    expect(partsOf('a'.repeat(255 * 153), options({}), 0)).toHaveLength(255);
    expect(() => partsOf('a'.repeat(255 * 153 + 1), options({}), 0)).toThrow('256 parts');
    expect(() => partsOf('a'.repeat(70_000), options({ long: 'payload' }), 0)).toThrow('parts');
  });

  const anyText = fc.string({
    unit: fc.oneof(fc.constantFrom(...SAMPLE, 'a', '\n'), fc.constantFrom('Я', '😀', 'ç')),
    maxLength: 700,
  });
  const gsmText = fc.string({ unit: fc.constantFrom(...SAMPLE, 'a', ' '), maxLength: 1_000 });

  it('are as many as are billed, and are joined to the text in any order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(anyText, gsmText),
        fc.constantFrom<TextOptions['long']>('udh8', 'sar', 'udh16', 'payload'),
        fc.constantFrom<TextOptions['alphabet']>('gsm', 'packed'),
        fc.infiniteStream(fc.nat()),
        async (text, long, alphabet, order) => {
          const set = options({ long, alphabet });
          const parts = partsOf(text, set, 7);
          // One rule for bills and for cuts. A longer header has less room, a payload is one.
          const isBilled = long === 'udh8' || long === 'sar';
          expect(parts).toHaveLength(isBilled ? countSegments(text).segments : parts.length);
          const messages: WholeMessage[] = [];
          const reassembly = new Reassembly({
            deliver: async (message) => void messages.push(message),
          });
          const shuffled = parts
            .map((part) => ({ part, at: order.next().value as number }))
            .sort((a, b) => a.at - b.at);
          await Promise.all(
            shuffled.map(async ({ part }) => {
              const octets = encodePdu({ command: 'deliver_sm', sequence: 1, ...part });
              const { pdu } = decodePdu(octets, true);
              const content = contentOf(pdu as never, alphabet);
              const { concatenation } = content;
              if (!concatenation) messages.push({ from: '', to: '', text: textOf(content) });
              else
                await reassembly.add({ from: '', to: '', content: { ...content, concatenation } });
            }),
          );
          expect(messages.map((message) => message.text)).toEqual([text]);
          expect(reassembly.size).toBe(0);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('addresses', () => {
  it.each([
    ['+79990000000', 1, 1, '79990000000'],
    ['79990000000', 1, 1, '79990000000'],
    ['Heliograph', 5, 0, 'Heliograph'],
    ['1-800', 5, 0, '1-800'],
    ['4440', 3, 0, '4440'],
    ['123456', 3, 0, '123456'],
    ['+123456', 1, 1, '123456'],
    ['1234567', 1, 1, '1234567'],
  ])('of %s', (text, ton, npi, address) => {
    expect(addressOf(text)).toEqual({ ton, npi, address });
  });

  it('are read as phones if they are international', () => {
    expect(senderOf({ ton: 1, address: '79990000000' })).toBe('+79990000000');
    expect(senderOf({ ton: 1, address: '0079990000000' })).toBe('+79990000000');
    expect(senderOf({ ton: 3, address: '4440' })).toBe('4440');
    expect(senderOf({ ton: 5, address: 'Bank' })).toBe('Bank');
    expect(senderOf({ ton: 1, address: '+79990000000' })).toBe('+79990000000');
  });
});

describe('times', () => {
  const now = new Date('2026-11-26T17:05:09.700Z');

  it('are written in UTC, spans in days', () => {
    expect(formatTime(now)).toBe('261126170509700+');
    expect(formatSpan(60)).toBe('000000000100000R');
    expect(formatSpan(2 * 86_400 + 3 * 3_600 + 4 * 60 + 5)).toBe('000002030405000R');
    expect(formatSpan(1e9)).toBe('000099000000000R');
  });

  it.each([
    ['261126170509700+', '2026-11-26T17:05:09.700Z'],
    ['261126200509012+', '2026-11-26T17:05:09.000Z'],
    ['261126120509020-', '2026-11-26T17:05:09.000Z'],
    ['000000010000000R', '2026-11-26T18:05:09.700Z'],
    ['000100000000000R', '2026-12-26T17:05:09.700Z'],
    ['', undefined],
    ['261326170509700+', undefined],
    ['270229120000000+', undefined],
    ['280229120000000+', '2028-02-29T12:00:00.000Z'],
    ['270431120000000+', undefined],
    ['261126240000000+', undefined],
    ['261126127500000+', undefined],
    ['261126120000049+', undefined],
    ['garbage', undefined],
  ])('%s', (text, expected) => {
    expect(parseTime(text, now)?.toISOString()).toBe(expected);
  });

  it('come back', () => {
    const span = fc.nat(99 * 86_400);
    fc.assert(
      fc.property(span, (seconds) => {
        expect(parseTime(formatSpan(seconds), now)!.getTime() - now.getTime()).toBe(seconds * 1e3);
      }),
    );
  });
});
