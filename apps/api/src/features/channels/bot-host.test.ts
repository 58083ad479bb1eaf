import { ADMINISTRATOR_GRANTS, channels, sendings } from '@heliograph/contract';
import { expect, onTestFinished, test } from 'vitest';
import { seedTelegram } from '../../../../../seeds/demo-telegram.ts';
import { until, World } from '../../../test/world.ts';
import { Config } from '../../core/config.ts';

const TOKEN = '4200:a-token-of-the-demo-world';
const SIMULATED_TELEGRAM = 'http://127.0.0.1:3000/sandbox/telegram-bot';

async function demo(DEMO: string) {
  const world = await World.start({ DEMO, SIMULATED_TELEGRAM });
  onTestFinished(() => world.stop());
  const messenger = `${world.base}/sandbox/telegram-bot`;
  // The port is known only now.
  Object.assign(world.api.get(Config), {
    HOST: '127.0.0.1',
    PORT: Number(new URL(world.base).port),
  });
  await seedTelegram((sql, parameters) => world.db.query(sql, parameters), messenger, TOKEN);
  world.forgetChannels();
  return { world, messenger };
}

test('a person of the demo world opens its bot, shares a number and gets a message', async () => {
  const { world, messenger } = await demo('1');
  await world.startWorker();
  const grants = { add: ADMINISTRATOR_GRANTS };
  const administrator = await world.person({ level: 'manager', grants });
  const { url: chat } = await fetch(messenger);
  const page = async () => (await fetch(chat)).text();
  const say = async (fields: Record<string, string>) => {
    const answer = await fetch(chat, { method: 'POST', body: new URLSearchParams(fields) });
    return answer.text();
  };
  // Until a worker has told the messenger where to post, nobody answers.
  await until(async () => {
    const shown = await say({ text: '/start' });
    return shown.includes('Share my number') && shown.includes('name="phone"');
  }, 'the bot');
  const linked = await say({ phone: '+7 999 000-00-77' });
  expect(linked).toContain('Done: messages to your number will arrive here.');
  expect(linked).not.toContain('name="phone"');
  const { id } = await administrator.api(channels.test, {
    params: { channel: 'telegram' },
    body: {
      type: 'telegram',
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

test('other installations have no messenger', async () => {
  const { messenger } = await demo('0');
  expect((await fetch(messenger)).status).toBe(404);
  const call = await fetch(`${messenger}/bot${TOKEN}/getMe`, { method: 'POST' });
  expect(call.status).toBe(404);
});
