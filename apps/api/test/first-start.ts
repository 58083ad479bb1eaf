import {
  billings,
  channels,
  createClient,
  registration,
  sendernames,
  sendings,
  users,
  type SendingReceipt,
} from '@heliograph/contract';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { signed } from '../src/core/http/standard-webhooks.ts';
import { until } from './until.ts';

interface FirstStart {
  base: string;
  login: (username: string, password: string) => Promise<string>;
  /** `cli.js set-phone`. */
  setPhone: (username: string, phone: string) => Promise<unknown>;
}

/**
 * From an administrator to a customer's first delivered message, step by step as `docs/operations.md` says under "First start
 * of a real installation", by calls of the API alone. Answers the texts that reached the carrier.
 */
export async function walkFirstStart(
  { base, login, setPhone }: FirstStart,
  administrator: { username: string; password: string },
): Promise<string[]> {
  const client = (token?: string) => createClient({ base: `${base}/api`, token: () => token });
  const captain = client(await login(administrator.username, administrator.password));
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const carrier = await startCarrier(`${base}/api/channels/carrier/statuses`, secret);
  const delivered = (api: typeof captain, id: string) =>
    until(async () => {
      const { state } = await api(sendings.get, { params: { id }, query: {} });
      if (state.status === 'failed') throw new Error(`the message failed: ${state.code}`);
      return state.status === 'delivered';
    }, 'the message to be delivered');
  try {
    // 5. A channel to the carrier, tried while it is off.
    const { data: before } = await captain(channels.find, { query: {} });
    if (before.length) throw new Error(`there are channels: ${before.map((c) => c.name).join()}`);
    const options = { url: carrier.url, secret };
    await captain(channels.create, {
      body: { name: 'carrier', driver: 'http', types: ['sms'], priority: 10, options },
    });
    const channel = { channel: 'carrier' };
    const test = await captain(channels.test, {
      params: channel,
      body: {
        type: 'sms',
        recipient: '+4915112345678',
        payload: { sender: 'BEACON', text: 'Is it on?' },
      },
    });
    await delivered(captain, test.id);
    await captain(channels.update, { params: channel, body: { isActive: true } });

    // 7. The first customer.
    const [username, password] = ['tea-house', 'quite-a-long-one'];
    const data = { email: 'anna@tea.example', phone: '+4915112345679', firstName: 'Anna' };
    await client()(registration.create, { body: { username, password, data } });
    await setPhone(username, data.phone);
    const customer = client(await login(username, password));
    const { id: OwnerId } = await customer(users.me, {});
    await captain(billings.create, { body: { source: 'accrual', amount: 100, OwnerId } });
    const name = await customer(sendernames.create, {
      body: { name: 'TEAHOUSE', type: 'sms', comment: 'Tea House LLC, INN 7700000009' },
    });
    await captain(sendernames.moderate, {
      params: { id: name.id },
      body: { moderation: 'approved' },
    });
    const payload = { sender: 'TEAHOUSE', text: 'Your order is ready' };
    const sent = await customer(sendings.create, {
      query: {},
      body: { type: 'sms', recipient: '+4915112345680', payload },
    });
    await delivered(customer, (sent as SendingReceipt).id);
    await until(async () => {
      const { state } = await captain(channels.get, { params: channel });
      return state.status === 'working' && state.submitted === 2 && state.reportedAt;
    }, 'the channel to be seen working');
    return carrier.texts;
  } finally {
    carrier.stop();
  }
}

/** Accepts every message and reports it as delivered. */
async function startCarrier(statusesUrl: string, secret: string) {
  const texts: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { messages } = JSON.parse(body) as {
        messages: { reference: string; payload: { text: string } }[];
      };
      texts.push(...messages.map(({ payload }) => payload.text));
      const results = messages.map(({ reference }) => ({ reference, result: 'accepted' }));
      response.end(JSON.stringify({ results }));
      const statuses = messages.map(({ reference }) => ({ reference, status: 'delivered' }));
      const report = JSON.stringify({ statuses });
      const headers = { 'content-type': 'application/json', ...signed(secret, report) };
      void fetch(statusesUrl, { method: 'POST', headers, body: report });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, texts, stop: () => server.close() };
}
