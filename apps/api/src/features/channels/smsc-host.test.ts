import { ADMINISTRATOR_GRANTS, channels, sendings } from '@heliograph/contract';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../../../scripts/lib/ports.mjs';
import { seedSmpp } from '../../../../../seeds/demo-smpp.ts';
import { until, World } from '../../../test/world.ts';
import { ChannelsService } from './channels.service.ts';
import { SmscHost } from './smsc-host.service.ts';

async function demo(env: Record<string, string>, url: string) {
  const world = await World.start(env);
  onTestFinished(() => world.stop());
  await seedSmpp((sql, parameters) => world.db.query(sql, parameters), url);
  world.forgetChannels();
  await world.api.get(SmscHost, { strict: false }).start();
  return world;
}

test('a message through the channel of the demo world goes over SMPP and is delivered', async () => {
  const url = `smpp://127.0.0.1:${await freePort()}`;
  const world = await demo({ DEMO: '1', SIMULATED_SMSC: url }, url);
  await world.startWorker();
  const grants = { add: ADMINISTRATOR_GRANTS };
  const administrator = await world.person({ level: 'manager', grants });
  const shown = await administrator.api(channels.get, { params: { channel: 'smpp' } });
  expect(shown).toMatchObject({
    driver: 'smpp',
    isActive: true,
    options: { url, systemId: 'heliograph' },
    secrets: ['password'],
  });
  const { id } = await administrator.api(channels.test, {
    params: { channel: 'smpp' },
    body: {
      type: 'sms',
      // Delivered in two seconds.
      recipient: '+79990000000',
      payload: { sender: 'DEMO', text: 'Привет €' },
    },
  });
  const state = await until(async () => {
    const sending = await administrator.api(sendings.get, { params: { id } });
    return ['delivered', 'failed'].includes(sending.state.status) && sending.state;
  }, 'the receipt');
  expect(state.status).toBe('delivered');
});

test('other installations have no SMSC', async () => {
  const url = `smpp://127.0.0.1:${await freePort()}`;
  const world = await demo({ DEMO: '0', SIMULATED_SMSC: url }, url);
  const { port } = new URL(url);
  const signal = AbortSignal.timeout(5_000);
  const { outbound } = world.api.get(ChannelsService, { strict: false });
  await expect(outbound.connect('127.0.0.1', Number(port), { signal })).rejects.toMatchObject({
    code: 'ECONNREFUSED',
  });
});
