import { randomUUID } from 'node:crypto';
import { sendings } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approve, balance, problems } from '../factories.ts';
import { raw } from '../raw.ts';
import { World } from '../world.ts';

/** The error that Postgres gives when the disk of its data is full, for what is new. */
let world: World;

beforeAll(async () => {
  world = await World.start();
  await world.db.query(`create table room (is_left boolean)`);
  await world.db.query(
    `create function need_room() returns trigger language plpgsql as $$
     begin
       if not (select is_left from room) then raise exception 'could not extend file "base/1/2"' using errcode = 'disk_full'; end if;
       return new;
     end $$`,
  );
  await world.db.query(`insert into room values (true)`);
  await world.db.query(
    `create trigger need_room before insert on sendings for each row execute function need_room()`,
  );
});
afterAll(() => world.stop());

const setRoom = (isLeft: boolean) => world.db.query(`update room set is_left = $1`, [isLeft]);

test('calls are answered 503 while the database has no room, without an effect, and have it once when they are repeated', async () => {
  const owner = await world.person({ balance: 100 });
  await approve(world, owner.id);
  const key = randomUUID();
  const body = {
    type: 'sms',
    recipient: '+79161234567',
    payload: { sender: 'MIRTEA', text: 'Hello' },
  };
  const send = () => raw(world, owner, 'POST', '/sendings', body, { 'Idempotency-Key': key });
  await setRoom(false);
  const refused = await send();
  expect(refused).toMatchObject({ status: 503, json: { code: 'unavailable' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(JSON.stringify(refused.json)).not.toContain('base/1/2');
  expect(await balance(world, owner.id)).toBe(100);
  await setRoom(true);
  const [first, again] = [await send(), await send()];
  expect(first.status).toBe(200);
  expect(again.json).toEqual(first.json);
  expect((await owner.api(sendings.find, {})).total).toBe(1);
  expect(await problems(world)).toEqual([]);
});
