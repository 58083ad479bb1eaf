import { users } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, World } from '../../../test/world.ts';

let world: World;
let people: Person[];
beforeAll(async () => {
  world = await World.start();
  people = await Promise.all(Array.from({ length: 4 }, () => world.person()));
});
afterAll(() => world.stop());

test('concurrent calls are answered for their own user, also beside wrong tokens', async () => {
  const strangers = world.client('x.y.z');
  for (let round = 0; round < 10; round++) {
    const calls = people.flatMap((person) => [
      person.api(users.me).then(({ id }) => id === person.id),
      strangers(users.me).then(
        () => false,
        (error: { status: number }) => [401, 429].includes(error.status),
      ),
    ]);
    expect(await Promise.all(calls)).toEqual(calls.map(() => true));
  }
});
