import { sendings, users } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MESSAGE } from '../../../test/scene.ts';
import { World } from '../../../test/world.ts';
import { setPhone } from './set-phone.ts';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

test('a phone set by the operator is confirmed, and the account may send to others', async () => {
  const person = await world.person();
  await world.db.query(`update users set phone_confirmed_at = null where id = $1`, [person.id]);
  const send = () =>
    person.api(sendings.create, { body: { ...MESSAGE, recipient: '+79001112233' } });
  await expect(send()).resolves.toMatchObject({ status: 'failed' });
  await setPhone(world.db, { username: person.username.toUpperCase(), phone: '8 900 555-66-77' });
  expect(await person.api(users.me)).toMatchObject({
    data: { phone: '+79005556677' },
    phoneConfirmedAt: expect.any(String),
  });
  const records = await world.db.query(
    `select action, actor_id, after from audit_log where target_id = $1`,
    [person.id],
  );
  expect(records).toContainEqual({
    action: 'phones.confirm',
    actor_id: null,
    after: { phone: '+79005556677' },
  });
  await expect(send()).resolves.not.toMatchObject({ status: 'failed' });
});

test('an invalid phone and an unknown user are refused', async () => {
  const { username } = await world.person();
  await expect(setPhone(world.db, { username, phone: 'x' })).rejects.toMatchObject({
    code: 'validation',
  });
  await expect(
    setPhone(world.db, { username: 'nobody-here', phone: '+79005556677' }),
  ).rejects.toMatchObject({ code: 'not_found' });
});
