import { describe, expect, test } from 'vitest';
import {
  channelOrder,
  chosenChannel,
  dependsOnNetwork,
  isAvoided,
  shareOf,
  unmetByPlace,
  unmetByTraffic,
  type RouteConditions,
  type RoutedTraffic,
} from './routes.ts';

const ANY: RouteConditions = {
  types: [],
  countries: [],
  operators: [],
  senders: [],
  OwnerIds: [],
  GroupIds: [],
  kinds: [],
};
const TRAFFIC: RoutedTraffic = {
  type: 'sms',
  sender: 'MIRTEA',
  kind: 'bulk',
  OwnerId: 'a',
  GroupIds: ['g1', 'g2'],
};

test.each<[string, Partial<RouteConditions>, Partial<RoutedTraffic>, keyof RouteConditions | null]>(
  [
    ['nothing is asked', {}, {}, null],
    ['the type', { types: ['sms', 'viber'] }, {}, null],
    ['another type', { types: ['viber'] }, {}, 'types'],
    ['the kind', { kinds: ['bulk'] }, {}, null],
    ['another kind', { kinds: ['code', 'single'] }, {}, 'kinds'],
    ['the account', { OwnerIds: ['b', 'a'] }, {}, null],
    ['another account', { OwnerIds: ['b'] }, {}, 'OwnerIds'],
    ['one of its groups', { GroupIds: ['g2'] }, {}, null],
    ['another group', { GroupIds: ['g3'] }, {}, 'GroupIds'],
    ['no group', { GroupIds: ['g1'] }, { GroupIds: [] }, 'GroupIds'],
    ['the sender in other letters', { senders: ['MirTea'] }, {}, null],
    ['another sender', { senders: ['MirTe'] }, {}, 'senders'],
    ['all of several', { types: ['sms'], kinds: ['bulk'], senders: ['MIRTEA'] }, {}, null],
    [
      'all but one of several',
      { types: ['sms'], kinds: ['code'], senders: ['MIRTEA'] },
      {},
      'kinds',
    ],
  ],
)('a route for %s', (_, conditions, traffic, expected) => {
  expect(unmetByTraffic({ ...ANY, ...conditions }, { ...TRAFFIC, ...traffic })).toBe(expected);
});

test.each([
  ['nothing is asked', {}, null, null, null],
  ['the country', { countries: ['DE', 'RU'] }, 'RU', '250', null],
  ['another country', { countries: ['DE'] }, 'RU', '25001', 'countries'],
  ['an unknown country', { countries: ['RU'] }, null, null, 'countries'],
  ['the network', { operators: ['25001'] }, 'RU', '25001', null],
  ['another network', { operators: ['25001'] }, 'RU', '250011', 'operators'],
  ['all networks of a country', { operators: ['250*'] }, 'RU', '25099', null],
  ['an unknown network', { operators: ['250*'] }, null, null, 'operators'],
  ['both', { countries: ['RU'], operators: ['25001', '401*'] }, 'RU', '25001', null],
  ['one of both', { countries: ['KZ'], operators: ['25001'] }, 'RU', '25001', 'countries'],
])('a route for places: %s', (_, conditions, country, mccmnc, expected) => {
  expect(unmetByPlace({ ...ANY, ...conditions })({ country, mccmnc })).toBe(expected);
});

describe('the order of channels', () => {
  const channels = [
    { ChannelId: 'a', weight: 20 },
    { ChannelId: 'b', weight: 70 },
    { ChannelId: 'c', weight: 10 },
    { ChannelId: 'd', weight: 0 },
  ];

  test('is that of the list', () => {
    expect(channelOrder({ channels, isWeighted: false }, 0.99)).toEqual(['a', 'b', 'c', 'd']);
  });

  test.each([
    [0, 'abcd'],
    [0.19, 'abcd'],
    [0.2, 'bacd'],
    [0.89, 'bacd'],
    [0.91, 'cbad'],
    [1, 'cbad'],
  ])('by weight at %d', (share, expected) => {
    expect(channelOrder({ channels, isWeighted: true }, share).join('')).toBe(expected);
  });

  test('by shares instead of weights', () => {
    const shared = channels.map((channel, i) => ({ ...channel, share: [500, 300, 200, 0][i]! }));
    const at = (share: number) => channelOrder({ channels: shared, isWeighted: true }, share);
    expect([0.49, 0.51, 0.79, 0.81].map((share) => at(share).join(''))).toEqual([
      'abcd',
      'bacd',
      'bacd',
      'cabd',
    ]);
  });

  test('without any weight is that of the list', () => {
    const none = channels.map((channel) => ({ ...channel, weight: 0 }));
    expect(channelOrder({ channels: none, isWeighted: true }, 0.5).join('')).toBe('abcd');
  });

  test('the share of an id is its random end, from 0 to 1', () => {
    expect(shareOf('01930000-0000-7000-8000-000000000000')).toBe(0);
    expect(shareOf('01930000-0000-7000-8000-800000000000')).toBe(0.5);
    expect(shareOf('01930000-0000-7000-8000-ffffffffffff')).toBeLessThan(1);
  });
});

describe('the choice among channels', () => {
  const now = new Date('2026-07-01T12:00:00Z');
  const works = { isActive: true, downSince: null };
  const down = (seconds: number) => ({
    isActive: true,
    downSince: new Date(now.getTime() - seconds * 1000),
  });
  const off = { isActive: false, downSince: null };

  test.each([
    ['works', works, 60, false],
    ['is down for a moment', down(59), 60, false],
    ['is down for so long', down(60), 60, true],
    ['is down, and the route waits for it', down(86_400), null, false],
    ['is down, and the route waits for nothing', down(0), 0, true],
    ['is switched off', off, null, true],
    ['is gone', undefined, null, true],
  ])('a channel that %s', (_, channel, failoverAfter, expected) => {
    expect(isAvoided({ failoverAfter }, channel, now)).toBe(expected);
  });

  test.each([
    ['the first', { a: works, b: works }, 'a'],
    ['the next while the first is down', { a: down(61), b: works }, 'b'],
    ['the first while all are down', { a: down(61), b: down(300) }, 'a'],
    ['the one that is down rather than one that is off', { a: off, b: down(300) }, 'b'],
    ['none', { a: off }, undefined],
  ])('%s', (_, channels: Record<string, typeof works | ReturnType<typeof down>>, expected) => {
    const channelOf = (name: string) => channels[name];
    expect(chosenChannel({ failoverAfter: 60 }, ['a', 'b'], channelOf, now)).toBe(expected);
  });
});

const COUNTRIES: Record<string, string> = { '250': 'RU', '401': 'KZ' };
const countryOf = (network: string) => COUNTRIES[network.slice(0, 3)] ?? null;

test.each<[string, Partial<RouteConditions>[], string | null, boolean]>([
  ['no route', [], 'RU', false],
  ['one for all numbers', [{}], 'RU', false],
  ['one for a network of the country', [{ operators: ['25001'] }], 'RU', true],
  ['one for all networks of the country', [{ operators: ['250*'] }], 'RU', true],
  ['one for networks of another country', [{ operators: ['40101', '401*'] }], 'RU', false],
  ['one for networks of several countries', [{ operators: ['40101', '25001'] }], 'RU', true],
  ['one for a network of an unknown country', [{ operators: ['99901'] }], 'RU', true],
  ['one for the country', [{ countries: ['RU'] }], 'RU', false],
  ['the country, then a network', [{ countries: ['RU'] }, { operators: ['25001'] }], 'RU', false],
  ['another country, then one', [{ countries: ['KZ'] }, { operators: ['25001'] }], 'RU', true],
  ['a network of another country', [{ countries: ['KZ'], operators: ['25001'] }], 'RU', false],
  ['a network here', [{ countries: ['RU'], operators: ['25001'] }], 'RU', true],
  ['all numbers, then a network', [{}, { operators: ['25001'] }], 'RU', false],
  ['a network, then all numbers', [{ operators: ['25001'] }, {}], 'RU', true],
  ['a number of no known country', [{ operators: ['25001'] }], null, true],
  ['such a number and a country', [{ countries: ['RU'], operators: ['25001'] }], null, false],
])('whether a look-up may decide: %s', (_, conditions, country, expected) => {
  const routes = conditions.map((one) => ({ ...ANY, ...one }));
  expect(dependsOnNetwork(routes, country, countryOf)).toBe(expected);
});
