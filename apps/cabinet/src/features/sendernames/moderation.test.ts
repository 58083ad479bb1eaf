import { expect, test } from 'vitest';
import { lacksReason } from '../../ui/decisions.ts';
import { decisionsFor } from './moderation.ts';

const reseller = { level: 'reseller', OwnerId: 'r' } as const;
const manager = { level: 'manager', OwnerId: 'm' } as const;
const customer = { level: 'me', OwnerId: 'c' } as const;

test.each([
  ['pending', reseller, ['approved', 'rejected']],
  ['pending', manager, ['approved', 'rejected']],
  ['pending', customer, []],
  ['pending', undefined, []],
  ['approved', reseller, []],
  ['approved', manager, ['rejected']],
  ['rejected', manager, []],
] as const)('%s by %o: %o', (moderation, by, expected) => {
  expect(decisionsFor({ moderation, OwnerId: 'c' }, by)).toEqual(expected);
});

test('nobody decides about its own name', () => {
  expect(decisionsFor({ moderation: 'pending', OwnerId: 'm' }, manager)).toEqual([]);
});

test.each([
  ['rejected', '', true],
  ['rejected', '  \n', true],
  ['rejected', 'Send the contract', false],
  ['approved', '', false],
] as const)('%s with %j lacks a reason: %s', (decision, comment, lacks) => {
  expect(lacksReason(decision, comment)).toBe(lacks);
});
