import { ADMINISTRATOR_GRANTS, channels, sendings } from '@heliograph/contract';
import { expect, onTestFinished, test } from 'vitest';
import { seedMax } from '../../../../../seeds/demo-max.ts';
import { until, World } from '../../../test/world.ts';
import { Config } from '../../core/config.ts';

const TOKEN = 'a-token-of-the-demo-world';
const SIMULATED_TELEGRAM = 'http://127.0.0.1:3000/sandbox/telegram-bot';

async function demo(DEMO: string) {
  const world = await World.start({ DEMO, SIMULATED_TELEGRAM });
  onTestFinished(() => world.stop());
  const messenger = `${world.base}/sandbox/max-bot`;
  // The port is known only now.
  Object.assign(world.api.get(Config), {
    HOST: '127.0.0.1',
    PORT: Number(new URL(world.base).port),
  });
  await seedMax((sql, parameters) => world.db.query(sql, parameters), messenger, TOKEN);
  world.forgetChannels();
  return { world, messenger };
}

test('a person of the demo world opens its bot in MAX, shares a number and gets a message', async () => {
  const { world, messenger } = await demo('1');
  await world.startWorker();
  const administrator = await world.person({
    level: 'manager',
    grants: { add: ADMINISTRATOR_GRANTS },
  });
  const { url } = await fetch(messenger);
  const chat = url.split('?')[0]!;
  const page = async () => (await fetch(chat)).text();
  const say = (fields: Record<string, string>) =>
    fetch(chat, { method: 'POST', body: new URLSearchParams(fields) });
  // Until a worker has told MAX where to post, nobody answers.
  await until(async () => {
    await say({ text: '/start' });
    const shown = await page();
    return shown.includes('Share my number') && shown.includes('name="phone"');
  }, 'the bot');
  await say({ phone: '+7 999 000-00-77' });
  const linked = await until(async () => {
    const shown = await page();
    return shown.includes('Done: messages to your number will arrive here.') && shown;
  }, 'the answer');
  expect(linked).not.toContain('name="phone"');
  const { id } = await administrator.api(channels.test, {
    params: { channel: 'max' },
    body: {
      type: 'max',
      recipient: '+79990000077',
      payload: { sender: 'DEMO', text: 'Чай <готов> & ждёт' },
    },
  });
  const state = await until(async () => {
    const sending = await administrator.api(sendings.get, { params: { id } });
    return ['delivered', 'failed'].includes(sending.state.status) && sending.state;
  }, 'the message');
  expect(state.status).toBe('delivered');
  expect(await page()).toContain('Чай &#60;готов&#62; &#38; ждёт');
});

test('the bot is that of its token, and other installations have none', async () => {
  const call = (messenger: string, authorization: string) =>
    fetch(`${messenger}/messages?user_id=5001`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: '{"text":"Hi"}',
    });
  const { messenger } = await demo('1');
  expect((await call(messenger, 'another-token')).status).toBe(401);
  const unknown = await call(messenger, TOKEN);
  expect([unknown.status, await unknown.json()]).toMatchObject([404, { code: 'chat.not.found' }]);
  const other = await demo('0');
  expect((await fetch(other.messenger)).status).toBe(404);
  expect((await call(other.messenger, TOKEN)).status).toBe(404);
});
