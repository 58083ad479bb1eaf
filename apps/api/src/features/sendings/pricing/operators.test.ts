import { operators } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { raw } from '../../../../test/raw.ts';
import { type Person, World } from '../../../../test/world.ts';
import { operatorByCode } from './operators.ts';

let world: World;
let person: Person;
beforeAll(async () => {
  world = await World.start();
  person = await world.person();
});
afterAll(() => world.stop());

test.each([
  ['25001', { name: 'MTS', country: 'RU' }],
  ['25062', { name: 'Tinkoff Mobile', country: 'RU' }],
  ['401*', { name: null, country: 'KZ' }],
  ['25098', { name: null, country: 'RU' }],
  ['99999', null],
  ['999*', null],
])('%s is %o', (code, expected) => {
  expect(operatorByCode(code)).toEqual(expected);
});

test('a network is found by its MCC and MNC in one value or in two', async () => {
  const mts = { data: [{ mccmnc: '25001', name: 'MTS', country: 'RU' }] };
  expect(await person.api(operators.lookup, { query: { mccmnc: ['25001'] } })).toEqual(mts);
  expect(await person.api(operators.lookup, { query: { mcc: '250', mnc: '01' } })).toEqual(mts);
  expect(await person.api(operators.lookup, { query: { mcc: '401' } })).toEqual({
    data: [{ mccmnc: '401*', name: null, country: 'KZ' }],
  });
});

test.each(['', '?mnc=01', '?mcc=2', '?mcc=250&mnc=1', '?mcc=250&mnc=x'])(
  'what names no network is refused: %j',
  async (query) => {
    const { status } = await raw(world, person, 'GET', `/operators${query}`);
    expect(status).toBe(422);
  },
);
