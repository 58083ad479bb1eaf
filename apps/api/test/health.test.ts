import request from 'supertest';
import { expect, test } from 'vitest';
import { until, World } from './world.ts';

test('health says ready, and starting while migrations are behind', async () => {
  const world = await World.start();
  const look = () => request(world.api.getHttpServer()).get('/api/health');
  const ready = await until(async () => {
    const seen = await look();
    return seen.status === 200 && seen;
  }, 'readiness');
  expect(ready.body).toEqual({
    status: 'ready',
    checks: { database: true, redis: true, migrations: true },
    version: '1.49.0',
  });
  await world.db.query(`delete from migrations where id = (select max(id) from migrations)`);
  expect(await look()).toMatchObject({
    status: 503,
    body: { status: 'starting', checks: { database: true, redis: true, migrations: false } },
  });
  await world.stop();
});
