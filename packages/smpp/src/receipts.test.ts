import { describe, expect, it } from 'vitest';

import { type Alphabet, encodeText } from './alphabets.ts';
import type { Delivered } from './incoming.ts';
import { type IdForm, comparableId, receiptOf } from './receipts.ts';
import { type Tlv, tlv } from './tlvs.ts';

const now = new Date('2026-11-26T17:05:00Z');

function deliver(text: string, tlvs: Tlv[] = [], esmClass = 0x04, dataCoding = 0): Delivered {
  return {
    command: 'deliver_sm',
    esmClass,
    dataCoding,
    shortMessage: Buffer.from(text, 'latin1'),
    tlvs,
  } as unknown as Delivered;
}

const read = (pdu: Delivered, utcOffset = 0, alphabet: Alphabet = 'gsm') =>
  receiptOf(pdu, { alphabet, utcOffset }, now);
const STANDARD =
  'id:1234567890 sub:001 dlvrd:001 submit date:2611261700 done date:2611261704 stat:DELIVRD err:000 text:Hello';

describe('receipts', () => {
  it.each([
    ['of the specification', STANDARD],
    ['with a capital', STANDARD.replace('text:', 'Text:')],
    ['in capitals', STANDARD.toUpperCase().replace('HELLO', '')],
    ['with seconds', STANDARD.replace('2611261704', '261126170400')],
    ['with the century', STANDARD.replace('2611261704', '202611261704')],
    ['with the century and seconds', STANDARD.replace('2611261704', '20261126170400')],
    ['parted by tabs', STANDARD.replaceAll(' ', '\t').replaceAll('\tdate', ' date')],
    ['with underscores', STANDARD.replaceAll(' date', '_date')],
    ['in another order', 'stat:DELIVRD done date:2611261704 err:000 id:1234567890'],
    ['without a text', STANDARD.replace(' text:Hello', '')],
    ['with an empty text', STANDARD.replace('Hello', '')],
    ['with whole words', STANDARD.replace('DELIVRD', 'DELIVERED')],
    ['parted by commas', STANDARD.replaceAll(/ (?!date)/g, ',')],
    ['with a text that looks like one', `${STANDARD} id:2 stat:REJECTD err:9`],
    ['with a NUL at its end', `${STANDARD.replace(' text:Hello', '')}\0`],
  ])('%s', (_, text) => {
    expect(read(deliver(text.replaceAll(',', ' , ')))).toEqual({
      messageId: '1234567890',
      state: 'delivered',
      error: '000',
      at: new Date('2026-11-26T17:04:00Z'),
    });
  });

  it.each([
    ['ENROUTE', 'enroute'],
    ['DELIVRD', 'delivered'],
    ['EXPIRED', 'expired'],
    ['DELETED', 'deleted'],
    ['UNDELIV', 'undeliverable'],
    ['UNDELIVERABLE', 'undeliverable'],
    ['FAILED', 'undeliverable'],
    ['ACCEPTD', 'accepted'],
    ['UNKNOWN', 'unknown'],
    ['REJECTD', 'rejected'],
    ['delivrd', 'delivered'],
    ['SEEN', undefined],
    ['', undefined],
  ])('stat %s', (word, state) => {
    expect(read(deliver(`id:1 stat:${word} err:001`))).toMatchObject({ state, error: '001' });
  });

  it.each([
    ['0000000000', undefined],
    ['', undefined],
    ['2613261704', undefined],
    ['2711261704', undefined],
    ['0001010000', undefined],
    ['2611261704', '2026-11-26T17:04:00.000Z'],
    // Twelve digits that are two times.
    ['201126170400', undefined],
    ['202611261704', '2026-11-26T17:04:00.000Z'],
    ['garbage', undefined],
  ])('done date %s', (date, at) => {
    expect(read(deliver(`id:1 done date:${date} stat:DELIVRD`))!.at?.toISOString()).toBe(at);
  });

  it('are in the time of the carrier', () => {
    expect(read(deliver(STANDARD.replace('2611261704', '2611262004')), 180)!.at).toEqual(
      new Date('2026-11-26T17:04:00Z'),
    );
  });

  it('parameters come before the text', () => {
    const tlvs = [
      tlv('receiptedMessageId', 'abc'),
      tlv('messageState', 5),
      tlv('networkErrorCode', Buffer.from([3, 0, 11])),
    ];
    expect(read(deliver('', tlvs))).toMatchObject({
      messageId: 'abc',
      state: 'undeliverable',
      error: '011',
      at: undefined,
    });
    expect(read(deliver(STANDARD, tlvs))).toMatchObject({ messageId: 'abc', error: '000' });
    // A state that is none leaves the word.
    expect(read(deliver(STANDARD, [tlv('messageState', 77)]))!.state).toBe('delivered');
    expect(read(deliver('', [tlv('receiptedMessageId', 'abc')]))!.state).toBeUndefined();
  });

  it('need no esm_class with parameters, and with a text alone they do', () => {
    expect(read(deliver(STANDARD, [], 0))).toBeUndefined();
    expect(read(deliver(STANDARD, [tlv('receiptedMessageId', '9')], 0))!.messageId).toBe('9');
    // A receipt of nothing is no message of a person.
    expect(read(deliver('hello', [], 0x04))).toBeNull();
  });

  it('an intermediate notification is not final', () => {
    expect(read(deliver(STANDARD, [], 0x20))!.state).toBe('enroute');
  });

  it('come in a payload, in UCS-2, and in ASCII under another data_coding', () => {
    const payload = tlv('messagePayload', Buffer.from(STANDARD));
    expect(read(deliver('', [payload]))!.messageId).toBe('1234567890');
    const ucs2 = Buffer.from(STANDARD, 'utf16le').swap16().toString('latin1');
    expect(read(deliver(ucs2, [], 0x04, 8))!.messageId).toBe('1234567890');
    expect(read(deliver(STANDARD, [], 0x04, 8))!.messageId).toBe('1234567890');
  });

  it('come unpacked from a carrier whose messages are packed, or packed as these', () => {
    expect(read(deliver(STANDARD), 0, 'packed')).toMatchObject({
      messageId: '1234567890',
      state: 'delivered',
    });
    const packed = encodeText(STANDARD, 'packed')!.toString('latin1');
    expect(read(deliver(packed), 0, 'packed')).toMatchObject({ messageId: '1234567890' });
  });

  it('have the header that esm_class tells of, or have none all the same', () => {
    const long = `${STANDARD}, this is the beginning of a long text`;
    expect(read(deliver(long, [], 0x44))).toMatchObject({
      messageId: '1234567890',
      state: 'delivered',
    });
    expect(read(deliver(`\x05\0\x03\x07\x02\x01${long}`, [], 0x44))).toMatchObject({
      messageId: '1234567890',
      state: 'delivered',
    });
    // What is left behind a header that is none may have a key, and not the one that counts.
    const later = `id:${'7'.repeat(40)} ${STANDARD.slice(14)}`;
    expect(read(deliver(later, [], 0x44))).toMatchObject({ messageId: '7'.repeat(40) });
  });

  it('are read in linear time', () => {
    const long = 'id '.repeat(20_000) + 'stat '.repeat(10_000);
    expect(read(deliver('', [tlv('messagePayload', Buffer.from(long))]))).toBeNull();
  });

  it.each<[string, IdForm, string, IdForm, boolean]>([
    ['10', 'decimal', 'A', 'hex', true],
    ['10', 'decimal', '0000000a', 'hex', true],
    ['A', 'hex', '10', 'decimal', true],
    ['0010', 'decimal', '10', 'decimal', true],
    ['0010', 'text', '10', 'text', false],
    ['a-b', 'hex', 'a-b', 'decimal', true],
    ['ffffffffffffffff', 'hex', '18446744073709551615', 'decimal', true],
    ['9007199254740993', 'decimal', '9007199254740992', 'decimal', false],
    ['AbC', 'text', 'abc', 'text', false],
    ['abc  ', 'text', 'abc', 'text', true],
    ['000A', 'hex', ' A', 'hex', true],
  ])('id %s as %s and %s as %s', (answer, ofAnswers, receipt, ofReceipts, same) => {
    expect(comparableId(answer, ofAnswers) === comparableId(receipt, ofReceipts)).toBe(same);
  });

  it('a very long id stays as it is', () => {
    const id = '9'.repeat(60_000);
    expect(comparableId(id, 'decimal')).toBe(id);
  });
});
