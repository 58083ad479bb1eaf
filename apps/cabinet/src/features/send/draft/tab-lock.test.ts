import { expect, it } from 'vitest';
import { hold } from './tab-lock.ts';

it('one tab has it, until it leaves', async () => {
  const leave = await hold('one');
  expect(leave).toBeTypeOf('function');
  expect(await hold('one')).toBeNull();
  const other = await hold('another');
  expect(other).toBeTypeOf('function');
  leave!();
  const next = await hold('one');
  expect(next).toBeTypeOf('function');
  for (const end of [other!, next!]) end();
});

it('of many tabs that ask at once exactly one has it', async () => {
  const tabs = await Promise.all(Array.from({ length: 6 }, () => hold('at once')));
  expect(tabs.filter(Boolean)).toHaveLength(1);
  tabs.find(Boolean)!();
});
