import assert from 'node:assert/strict';
import { client } from './sdk/client.gen.js';
import {
  authLogin,
  contactListsCreate,
  sendingsCreate,
  sendingsFind,
  sendingsGet,
  storageCreate,
} from './sdk/sdk.gen.js';

const [base, username, password, since] = process.argv.slice(2) as [string, string, string, string];
client.setConfig({ baseUrl: `${base}/api` });

const { data: session } = await authLogin({ body: { username, password } });
assert(session);
client.setConfig({ auth: () => session.token });

const send = () =>
  sendingsCreate({
    headers: { 'Idempotency-Key': 'by-hey-api' },
    body: {
      type: 'sms',
      recipient: '+79990000000',
      payload: { sender: 'MIRTEA', text: 'Hello' },
    },
  });
const [first, again] = [await send(), await send()];
assert(first.data && 'recipient' in first.data);
assert.deepEqual(again.data, first.data);
assert.equal(again.response?.headers.get('Idempotency-Replay'), 'true');
const { id } = first.data;

const list = await sendingsFind({
  query: {
    createdAt: { $gt: since },
    $order: 'createdAt:desc',
    $limit: 5,
    status: ['pending', 'processing', 'sent', 'delivered'],
  },
});
assert.deepEqual(
  list.data?.data.map((sending) => sending.id),
  [id],
);

const one = await sendingsGet({ path: { id } });
assert.equal(one.data?.payload.text, 'Hello');

const file = await storageCreate({
  body: { file: new Blob(['a,b'], { type: 'text/csv' }) },
});
assert.equal(file.data?.size, 3);

const wrong = await contactListsCreate({ body: { title: '', type: 'regular' } });
assert.equal(wrong.error?.code, 'validation');
assert.equal(wrong.error.data?.[0]?.field, 'title');
