import { expect, test } from 'vitest';
import { distinctTags, tagsCell, tagsOf } from './tags.ts';

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

test.each([
  ['', []],
  [' ; ,', []],
  ['VIP', ['VIP']],
  ['VIP; vip, Moscow', ['VIP', 'Moscow']],
  ['* myContacts ::: Friends', ['* myContacts', 'Friends']],
  ['two words\nthree; ', ['two words', 'three']],
  ['"Paris, Texas"; b', ['Paris, Texas', 'b']],
  ['a, "b;""c""" ::: d', ['a', 'b;"c"', 'd']],
  ['"New" \\ {1}, "b', ['"New" \\ {1}', '"b']],
  ['VIP\u200b; VIP\u202e, \u2066', ['VIP']],
  ['x'.repeat(50), ['x'.repeat(50)]],
  ['x'.repeat(51), null],
  [Array.from({ length: 20 }, (_, n) => n).join(), Array.from({ length: 20 }, (_, n) => `${n}`)],
  [Array.from({ length: 21 }, (_, n) => n).join(), null],
])('a cell %j has the tags %j', (cell, tags) => {
  expect(tagsOf(cell)).toEqual(tags);
});

test.each([
  [[]],
  [['VIP', 'two words']],
  [['Paris, Texas', 'a;b', 'a ::: b', '"quoted"', 'in"side', '"', 'x']],
])('the tags %j come back from their cell', (tags) => {
  expect(tagsOf(tagsCell(tags))).toEqual(tags);
});
