import type { GroupRole } from '@heliograph/contract';
import { expect, test } from 'vitest';
import { roleOf } from './group-roles.ts';

const ROLES: GroupRole[] = [
  { group: 'staff', role: 'sender' },
  { group: 'admins', role: 'owner' },
];
const others = Array.from({ length: 499 }, (_, index) => `group-${index}`);

test('the first entry whose group a person has gives the role', () => {
  expect(roleOf(ROLES, ['admins', 'staff'])).toBe('sender');
  expect(roleOf(ROLES, ['admins'])).toBe('owner');
  expect(roleOf(ROLES, ['Admins', 'staff '])).toBeUndefined();
  expect(roleOf(ROLES, [])).toBeUndefined();
  const everybody: GroupRole = { group: null, role: 'readOnly' };
  expect(roleOf([...ROLES, everybody], ['admins'])).toBe('owner');
  expect(roleOf([...ROLES, everybody], undefined)).toBe('readOnly');
  expect(roleOf([], ['admins'])).toBeUndefined();
});

test('the first 500 groups count, and those that are no texts or too long do not', () => {
  expect(roleOf(ROLES, [...others, 'staff'])).toBe('sender');
  expect(roleOf(ROLES, [...others, 'another', 'staff'])).toBeUndefined();
  const long = 'a'.repeat(201);
  expect(roleOf([{ group: long, role: 'owner' }], [long])).toBeUndefined();
  for (const claim of [
    'staff',
    { 0: 'staff', length: 1 },
    [['staff']],
    [{ name: 'staff' }],
    1,
    null,
    true,
  ])
    expect(roleOf(ROLES, claim)).toBeUndefined();
  expect(roleOf(ROLES, [null, 1, {}, 'staff'])).toBe('sender');
});
