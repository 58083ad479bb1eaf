import { setTimeout as wait } from 'node:timers/promises';
import { Heliograph } from '@heliograph/sdk';

const helio = new Heliograph({
  url: process.env.HELIOGRAPH_URL!,
  token: process.env.HELIOGRAPH_TOKEN!,
});

const message = (await helio.sendings.create({
  type: 'sms',
  recipient: '+79990000000',
  payload: { sender: 'DEMO', text: 'Your order is ready' },
})) as { id: string; status: string };
console.log(message.id, message.status);

for (;;) {
  await wait(1000);
  const { state } = await helio.sendings.get(message.id);
  if (state.outcome === 'pending') continue;
  console.log(message.id, state.status);
  break;
}
