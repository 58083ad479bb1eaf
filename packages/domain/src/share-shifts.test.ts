import { describe, expect, it } from 'vitest';
import {
  restingShares,
  SHARE_TOTAL,
  shiftShares,
  type JudgedChannel,
  type ReceiptsOfNetwork,
} from './share-shifts.ts';

const now = new Date('2026-11-29T12:00:00Z');
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

/** Receipts of one network. */
const receipts = (
  delivered: number,
  failed: number,
  late = 0,
  mccmnc: string | null = '25001',
): ReceiptsOfNetwork => ({ mccmnc, delivered, failed, late });
/** A channel that works. */
const channel = (
  ChannelId: string,
  networks: ReceiptsOfNetwork[],
  over: Partial<JudgedChannel> = {},
): JudgedChannel => ({
  ChannelId,
  weight: 1,
  share: 500,
  poorAt: null,
  isWorking: true,
  hasReports: true,
  accepted: 0,
  reported: 0,
  networks,
  ...over,
});
const shift = (...channels: JudgedChannel[]) =>
  shiftShares(channels, now).changes.map(
    ({ ChannelId, before, after, reason }) => `${ChannelId} ${before} ${after} ${reason}`,
  );
const good = [receipts(190, 10)];
const bad = [receipts(120, 80)];

describe('resting shares', () => {
  it.each([
    ['equal weights', [1, 1], [500, 500]],
    ['three to one', [3, 1], [750, 250]],
    ['thirds', [1, 1, 1], [334, 333, 333]],
    ['a weight that is next to nothing', [1000, 1], [998, 2]],
    ['no weight', [1, 0], [1000, 0]],
    ['no weights', [0, 0], []],
  ])('%s', (_, weights, expected) => {
    const channels = weights.map((weight, i) => ({ ChannelId: String(i), weight }));
    expect([...restingShares(channels).values()]).toEqual(expected);
  });
});

describe('a channel', () => {
  it.each<[string, JudgedChannel[], string[]]>([
    ['that delivers as the other keeps its share', [channel('a', good), channel('b', good)], []],
    [
      'that delivers worse loses a tenth of all to the other',
      [channel('a', bad), channel('b', good)],
      ['a 500 400 delivery', 'b 500 600 others'],
    ],
    [
      'that delivers a little worse keeps its share',
      [channel('a', [receipts(175, 25)]), channel('b', good)],
      [],
    ],
    [
      'with a few receipts is not judged',
      [channel('a', [receipts(10, 39)]), channel('b', good)],
      [],
    ],
    [
      'is not judged by a few receipts of the other',
      [channel('a', bad), channel('b', [receipts(49, 0)])],
      [],
    ],
    [
      'is compared for the networks that both have',
      [
        channel('a', [receipts(190, 10), receipts(30, 70, 0, '40101')]),
        channel('b', [receipts(190, 10)]),
      ],
      [],
    ],
    [
      'is compared network by network',
      // Both deliver nine of ten to one and half to the other.
      [
        channel('a', [receipts(90, 10), receipts(200, 200, 0, '40101')]),
        channel('b', [receipts(360, 40), receipts(50, 50, 0, '40101')]),
      ],
      [],
    ],
    [
      'that is slower loses share',
      [channel('a', [receipts(190, 10, 100)]), channel('b', [receipts(190, 10, 2)])],
      ['a 500 400 late', 'b 500 600 others'],
    ],
    [
      'without reports though they were accepted loses share',
      [channel('a', [], { accepted: 100, reported: 49 }), channel('b', good)],
      ['a 500 400 silent', 'b 500 600 others'],
    ],
    [
      'that never reports is not missed',
      [channel('a', [], { accepted: 100, hasReports: false }), channel('b', good)],
      [],
    ],
    [
      'keeps a twentieth of all',
      [channel('a', bad, { share: 90 }), channel('b', good, { share: 910 })],
      ['a 90 50 delivery', 'b 910 950 others'],
    ],
    [
      'keeps a share that was smaller from the beginning',
      [channel('a', bad, { weight: 1, share: 20 }), channel('b', good, { weight: 49, share: 980 })],
      [],
    ],
    [
      'gives to the others by weight, but not to one that is poor, down or not known',
      [
        channel('a', bad, { share: 200 }),
        channel('b', bad, { share: 200 }),
        channel('c', good, { share: 200, weight: 3 }),
        channel('d', good, { share: 200 }),
        channel('e', good, { share: 100, isWorking: false }),
        channel('f', [receipts(10, 0)], { share: 100 }),
      ],
      ['a 200 100 delivery', 'b 200 100 delivery', 'c 200 350 others', 'd 200 250 others'],
    ],
    [
      'that has no weight is neither judged nor given anything',
      [channel('a', bad), channel('b', good), channel('c', good, { weight: 0, share: 0 })],
      ['a 500 400 delivery', 'b 500 600 others'],
    ],
    [
      'loses nothing if no other does better',
      [channel('a', [], { accepted: 100 }), channel('b', [], { accepted: 100 })],
      [],
    ],
    [
      'gets a twentieth back when it delivers as the others',
      [
        channel('a', good, { share: 300, poorAt: minutesAgo(10) }),
        channel('b', good, { share: 700 }),
      ],
      ['a 300 350 back', 'b 700 650 back'],
    ],
    [
      'gets no more back than it had',
      [channel('a', good, { share: 490 }), channel('b', good, { share: 510 })],
      ['a 490 500 back', 'b 510 500 back'],
    ],
    [
      'gets nothing back while it delivers a little worse',
      [
        channel('a', [receipts(175, 25)], { share: 300, poorAt: minutesAgo(59) }),
        channel('b', good, { share: 700 }),
      ],
      [],
    ],
    [
      'of which nothing is known gets it back an hour later',
      [
        channel('a', [], { share: 300, poorAt: minutesAgo(60) }),
        channel('b', good, { share: 700 }),
      ],
      ['a 300 350 back', 'b 700 650 back'],
    ],
    [
      'that is down gets nothing back',
      [channel('a', good, { share: 300, isWorking: false }), channel('b', good, { share: 700 })],
      [],
    ],
    [
      'gets nothing back while another is poor',
      [
        channel('a', good, { share: 100, poorAt: minutesAgo(20) }),
        channel('b', good, { share: 850 }),
        channel('c', bad, { share: 50 }),
      ],
      [],
    ],
  ])('%s', (_, channels, expected) => {
    expect(shift(...channels)).toEqual(expected);
    const total = channels.reduce((sum, { share }) => sum + share, 0);
    const change = shiftShares(channels, now).changes.reduce((n, c) => n + c.after - c.before, 0);
    expect(total + change).toBe(total);
  });

  it('is named with what it was judged by', () => {
    const { changes, poor } = shiftShares([channel('a', bad), channel('b', good)], now);
    expect(changes[0]!.figures).toEqual({ own: 0.6, others: 0.95, count: 200 });
    expect(changes[1]!.figures).toBeNull();
    expect(poor).toEqual(['a']);
  });

  it('is poor although it has nothing left to lose', () => {
    const channels = [channel('a', bad, { share: 50 }), channel('b', good, { share: 950 })];
    expect(shiftShares(channels, now)).toEqual({ changes: [], poor: ['a'] });
  });
});

it('shares are parts of a thousand', () => {
  expect(SHARE_TOTAL).toBe(1000);
});
