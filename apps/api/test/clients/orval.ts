import assert from 'node:assert/strict';
import {
  authLogin,
  contactListsCreate,
  sendingsCreate,
  sendingsFind,
  sendingsGet,
  storageCreate,
} from './orval-client.js';

const [, username, password, since] = process.argv.slice(2) as [string, string, string, string];

const session = await authLogin({ username, password });
assert(session.status === 200);
const headers = { Authorization: `Bearer ${session.data.token}` };

const send = () =>
  sendingsCreate(
    {
      type: 'sms',
      recipient: '+79990000000',
      payload: { sender: 'MIRTEA', text: 'Hello' },
    },
    undefined,
    { headers: { ...headers, 'Idempotency-Key': 'by-orval' } },
  );
const [first, again] = [await send(), await send()];
assert(first.status === 200 && 'recipient' in first.data);
assert.deepEqual(again.data, first.data);
assert.equal(again.headers.get('Idempotency-Replay'), 'true');
const { id } = first.data;

const list = await sendingsFind(
  {
    createdAt: { $gt: since },
    $order: 'createdAt:desc',
    $limit: 5,
    status: ['pending', 'processing', 'sent', 'delivered'],
  },
  { headers },
);
assert(list.status === 200);
assert.deepEqual(
  list.data.data.map((sending) => sending.id),
  [id],
);

const one = await sendingsGet(id, undefined, { headers });
assert(one.status === 200);
assert.equal(one.data.payload.text, 'Hello');

const file = await storageCreate({ file: new Blob(['a,b'], { type: 'text/csv' }) }, undefined, {
  headers,
});
assert(file.status === 201);
assert.equal(file.data.size, 3);

const wrong = await contactListsCreate({ title: '', type: 'regular' }, { headers });
assert(wrong.status === 422);
assert.equal(wrong.data.code, 'validation');
assert.equal(wrong.data.data?.[0]?.field, 'title');
