import { type Delivered, receiptOf } from '@heliograph/smpp';
import { describe, expect, it } from 'vitest';

import { errorTable } from './options.ts';
import { reportOf } from './reports.ts';

const now = new Date('2026-11-26T12:30:00Z');
const RECEIPT = 0x04;

/** What a receipt of this text reports. */
function report(
  text: string,
  options: {
    errors?: string;
    receiptIds?: 'text' | 'decimal' | 'hex';
    utcOffset?: number;
    esmClass?: number;
  } = {},
) {
  const { errors = '', receiptIds = 'text', utcOffset = 0, esmClass = RECEIPT } = options;
  const delivered = {
    command: 'deliver_sm',
    esmClass,
    dataCoding: 0,
    shortMessage: Buffer.from(text, 'latin1'),
    tlvs: [],
  } as unknown as Delivered;
  const receipt = receiptOf(delivered, { alphabet: 'gsm', utcOffset }, now);
  return receipt && reportOf(receipt, { receiptIds }, errorTable({ errors }), now);
}

const written = (stat: string, err = '000', id = '0012') =>
  `id:${id} sub:001 dlvrd:001 submit date:2611261200 done date:2611261210 stat:${stat} err:${err} text:Hello`;
const at = new Date('2026-11-26T12:10:00Z');

describe('a receipt', () => {
  it.each([
    ['DELIVRD', { status: 'delivered' }],
    ['EXPIRED', { status: 'failed', code: 'expired' }],
    ['DELETED', { status: 'failed', code: 'deleted' }],
    ['UNDELIV', { status: 'failed', code: 'undeliverable' }],
    ['FAILED', { status: 'failed', code: 'undeliverable' }],
    ['REJECTD', { status: 'failed', code: 'rejected' }],
    ['UNKNOWN', { status: 'failed', code: 'unknown' }],
    ['ACCEPTD', { status: 'processing' }],
    ['ENROUTE', { status: 'processing' }],
    // A word of nobody ends nothing.
    ['HANDSET', { status: 'processing' }],
    ['', { status: 'processing' }],
  ])('%s', (stat, expected) => {
    expect(report(written(stat))).toEqual({ externalId: '0012', at, ...expected });
  });

  it('on the way ends nothing, whatever it says', () => {
    expect(report(written('DELIVRD'), { esmClass: 0x20 })).toMatchObject({ status: 'processing' });
  });

  it.each([
    ['UNDELIV', '001', 'absent_subscriber'],
    ['UNDELIV', '1', 'absent_subscriber'],
    ['EXPIRED', '0A7', 'memory_full'],
    ['UNDELIV', '009', 'undeliverable'],
    ['DELIVRD', '001', undefined],
  ])('%s with the error %s of the carrier is %s', (stat, err, code) => {
    const errors = '1=absent_subscriber, 0a7 = memory_full';
    expect(report(written(stat, err), { errors })!.code).toBe(code);
  });

  it('of a failure has the error in the words of the carrier', () => {
    expect(report(written('UNDELIV', '0A7'))).toMatchObject({ carrierCode: '0A7' });
    for (const [stat, err] of [
      ['UNDELIV', '000'],
      ['UNDELIV', ''],
      ['DELIVRD', '0A7'],
    ] as const)
      expect(report(written(stat, err))).not.toHaveProperty('carrierCode');
  });

  it.each([
    ['text', '0012', '0012'],
    ['decimal', '0012', '12'],
    ['hex', '000C', '12'],
    ['hex', 'c', '12'],
  ] as const)('has its id as answers have it: %s %s', (receiptIds, id, externalId) => {
    expect(report(written('DELIVRD', '000', id), { receiptIds })).toMatchObject({ externalId });
  });

  it('has a time by the clock of the carrier, and that of its arrival if it has none', () => {
    expect(
      report(written('DELIVRD').replaceAll('261126121', '261126151'), { utcOffset: 180 })!.at,
    ).toEqual(at);
    expect(report('id:7 stat:DELIVRD done date:0000000000')!.at).toEqual(now);
  });
});
