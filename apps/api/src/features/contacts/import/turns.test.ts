import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

/** Pieces of work that end when they are told to. */
function works() {
  const turns = new Turns();
  const begun: string[] = [];
  const ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  const ask = (owner: string, name: string) =>
    turns.take(owner, () => {
      begun.push(name);
      return new Promise<void>((resolve, reject) => ends.set(name, { resolve, reject }));
    });
  const settled = () => new Promise((resolve) => setTimeout(resolve));
  return { begun, ask, settled, of: (name: string) => ends.get(name)! };
}

test('two at a time, the others in their order, and a failure gives its place on', async () => {
  const { begun, ask, settled, of } = works();
  const all = ['a', 'b', 'c', 'd'].map((name) => ask(name, name));
  await settled();
  expect(begun).toEqual(['a', 'b']);
  of('b').reject(new Error('broken'));
  await expect(all[1]).rejects.toThrow('broken');
  await settled();
  expect(begun).toEqual(['a', 'b', 'c']);
  for (const name of ['a', 'c', 'd']) {
    await settled();
    of(name).resolve();
  }
  await Promise.all([all[0], all[2], all[3]]);
  void ask('e', 'e');
  void ask('f', 'f');
  await settled();
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

test('a third of one account and a seventh of all are refused, until one has ended', async () => {
  const { ask, settled, of } = works();
  const busy = { code: 'rate_limited', status: 429, detail: { headers: { 'retry-after': '10' } } };
  const first = ask('a', 'a1');
  void ask('a', 'a2');
  await expect(ask('a', 'a3')).rejects.toMatchObject(busy);
  for (const owner of ['b', 'c', 'd', 'e']) void ask(owner, owner);
  await expect(ask('f', 'f')).rejects.toMatchObject(busy);
  of('a1').resolve();
  await first;
  void ask('f', 'f');
  await settled();
  await expect(ask('g', 'g')).rejects.toMatchObject(busy);
});
