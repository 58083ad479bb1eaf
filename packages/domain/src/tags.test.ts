import { expect, test } from 'vitest';
import { distinctTags } from './tags.ts';

test.each([
  [[], []],
  [['VIP', 'vip', 'Vip'], ['VIP']],
  [['e\u0301lan'], ['\u00e9lan']],
  [['\u00c9lan', 'E\u0301LAN', 'elan'], ['\u00c9lan']],
  [
    ['й', 'и'],
    ['й', 'и'],
  ],
  [
    ['b', 'a'],
    ['b', 'a'],
  ],
])('of the tags %j %j are kept', (tags, kept) => {
  expect(distinctTags(tags)).toEqual(kept);
});
