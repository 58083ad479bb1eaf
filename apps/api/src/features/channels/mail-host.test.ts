import { ADMINISTRATOR_GRANTS, channels, sendings, type Sending } from '@heliograph/contract';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../../../../../scripts/lib/ports.mjs';
import { seedMail } from '../../../../../seeds/demo-mail.ts';
import { until, World } from '../../../test/world.ts';
import { Log } from '../../core/log.ts';
import { ChannelsService } from './channels.service.ts';
import { MailHost } from './mail-host.service.ts';

async function demo(DEMO: string) {
  const url = `smtp://127.0.0.1:${await freePort()}`;
  const world = await World.start({ DEMO, SIMULATED_SMTP: url });
  onTestFinished(() => world.stop());
  await seedMail((sql, parameters) => world.db.query(sql, parameters), url);
  world.forgetChannels();
  await world.api.get(MailHost, { strict: false }).start();
  return { world, port: Number(new URL(url).port) };
}
afterEach(() => vi.restoreAllMocks());

test('an e-mail of the demo world goes over SMTP, is delivered, and can be read in the log', async () => {
  const { world } = await demo('1');
  const shown = vi.spyOn(world.api.get(Log, { strict: false }), 'warn');
  await world.startWorker();
  const grants = { add: ADMINISTRATOR_GRANTS };
  const administrator = await world.person({ level: 'manager', grants });
  const send = async (recipient: string): Promise<Sending['state']> => {
    const { id } = await administrator.api(channels.test, {
      params: { channel: 'mail' },
      body: {
        type: 'email',
        recipient,
        payload: { sender: 'Mir Tea', subject: 'Чай', text: 'Привет' },
      },
    });
    return until(async () => {
      const { state } = await administrator.api(sendings.get, { params: { id } });
      return ['delivered', 'failed'].includes(state.status) && state;
    }, 'the end of the e-mail');
  };
  expect(await send('anna@tea.example')).toMatchObject({ status: 'delivered' });
  expect(shown.mock.calls).toContainEqual([
    {
      from: 'noreply@demo.example',
      to: 'anna@tea.example',
      subject: 'Чай',
      text: expect.stringMatching(/^Привет\s*$/) as unknown,
    },
    'an e-mail arrived at the simulated mail server',
  ]);
  expect(await send('nobody@tea.example')).toMatchObject({
    status: 'failed',
    code: 'number_not_found',
  });
});

test('other installations have no mail server', async () => {
  const { world, port } = await demo('0');
  const signal = AbortSignal.timeout(5_000);
  const { outbound } = world.api.get(ChannelsService, { strict: false });
  await expect(outbound.connect('127.0.0.1', port, { signal })).rejects.toMatchObject({
    code: 'ECONNREFUSED',
  });
});
