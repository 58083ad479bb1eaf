import { expect, test } from 'vitest';
import {
  channelAlarms,
  receiptBucket,
  receiptQuantile,
  RECEIPT_SECONDS,
  type ChannelFigures,
} from './channel-watch.ts';

const QUIET: ChannelFigures = {
  downSince: null,
  error: null,
  acceptedBefore: 0,
  receipts: 0,
  hadReceipts: true,
  networks: [],
  isFull: false,
  waiting: 0,
  limited: 0,
};
const network = (hour: [number, number], day: [number, number]) => ({
  mccmnc: '25001',
  hour: { delivered: hour[0], failed: hour[1] },
  day: { delivered: day[0], failed: day[1] },
});
const kinds = (figures: Partial<ChannelFigures>, open: { mccmnc: string | null }[] = []) =>
  channelAlarms(
    { ...QUIET, ...figures },
    open.map((one) => ({ kind: 'delivery' as const, ...one })),
  ).map(({ kind }) => kind);

test.each<[Partial<ChannelFigures>, string[]]>([
  [{}, []],
  [{ limited: 3 }, ['limited']],
  [{ downSince: new Date(0), error: 'answered 502' }, ['down']],
  [{ acceptedBefore: 20 }, ['silent']],
  [{ acceptedBefore: 19 }, []],
  [{ acceptedBefore: 20, receipts: 1 }, []],
  [{ acceptedBefore: 20, hadReceipts: false }, []],
  [{ isFull: true, waiting: 7 }, ['full']],
  [{ networks: [network([60, 40], [960, 140])] }, ['delivery']],
  [{ networks: [network([80, 20], [960, 140])] }, []],
  [{ networks: [network([10, 39], [960, 140])] }, []],
  [{ networks: [network([0, 100], [99, 200])] }, []],
])('of %o is told %o', (figures, expected) => {
  expect(kinds(figures)).toEqual(expected);
});

test('a share that has fallen must recover before the alarm ends', () => {
  // 90 % of the day before, of which 75 % are 67.5 and 90 % are 81.
  const at = (delivered: number) => ({
    networks: [network([delivered, 100 - delivered], [900 + delivered, 200 - delivered])],
  });
  expect(kinds(at(70))).toEqual([]);
  expect(kinds(at(70), [{ mccmnc: '25001' }])).toEqual(['delivery']);
  expect(kinds(at(70), [{ mccmnc: '25002' }])).toEqual([]);
  expect(kinds(at(82), [{ mccmnc: '25001' }])).toEqual([]);
});

test('an alarm has the values of its text', () => {
  const [alarm] = channelAlarms({ ...QUIET, networks: [network([60, 40], [960, 140])] }, []);
  expect(alarm!.data).toEqual({ share: 60, usual: 90 });
});

test('quantiles lie within their bucket', () => {
  expect(receiptBucket(0)).toBe(0);
  expect(receiptBucket(1000)).toBe(0);
  expect(receiptBucket(1001)).toBe(1);
  expect(receiptBucket(1e9)).toBe(RECEIPT_SECONDS.length);
  expect(receiptQuantile([], 0.5)).toBeNull();
  expect(receiptQuantile([10], 0.5)).toBe(0.5);
  expect(receiptQuantile([0, 10], 0.5)).toBe(1.5);
  expect(receiptQuantile([90, 0, 10], 0.95)).toBe(3.5);
  expect(receiptQuantile([...RECEIPT_SECONDS.map(() => 0), 4], 0.5)).toBe(3600);
});
