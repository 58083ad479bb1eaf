import { expect, test } from 'vitest';
import { channelPause } from './channel-breaker.ts';

test('a channel that is down is tried again after 1, 2, 4 ... seconds, up to five minutes', () => {
  expect([1, 2, 3, 4, 8, 9, 10, 1000].map(channelPause)).toEqual([1, 2, 4, 8, 128, 256, 300, 300]);
});
