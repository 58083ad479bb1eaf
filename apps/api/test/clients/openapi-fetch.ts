import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { paths } from './schema.js';

const [base, username, password, since] = process.argv.slice(2) as [string, string, string, string];
const client = createClient<paths>({ baseUrl: `${base}/api` });

const { data: session } = await client.POST('/login', { body: { username, password } });
assert(session);
client.use({
  onRequest: ({ request }) => request.headers.set('Authorization', session.token),
});

const send = () =>
  client.POST('/sendings', {
    params: { header: { 'Idempotency-Key': 'by-openapi-fetch' } },
    body: {
      type: 'sms',
      recipient: '+79990000000',
      payload: { sender: 'MIRTEA', text: 'Hello' },
      fallbacks: [],
    },
  });
const [first, again] = [await send(), await send()];
assert(first.data && 'recipient' in first.data);
assert.deepEqual(again.data, first.data);
assert.equal(again.response.headers.get('Idempotency-Replay'), 'true');
const { id } = first.data;

const list = await client.GET('/sendings', {
  params: {
    query: {
      createdAt: { $gt: since },
      $order: 'createdAt:desc',
      $limit: 5,
      status: ['pending', 'processing', 'sent', 'delivered'],
    },
  },
});
assert.deepEqual(
  list.data?.data.map((sending) => sending.id),
  [id],
);

const one = await client.GET('/sendings/{id}', { params: { path: { id } } });
assert.equal(one.data?.payload.text, 'Hello');

const file = await client.POST('/storage', {
  body: { file: 'a,b' },
  bodySerializer: (body) => {
    const form = new FormData();
    form.set('file', new Blob([body.file], { type: 'text/csv' }), 'list.csv');
    return form;
  },
});
assert.equal(file.data?.size, 3);

const wrong = await client.POST('/contactLists', {
  body: { title: '', type: 'regular', isActive: true },
});
assert.equal(wrong.error?.code, 'validation');
assert.equal(wrong.error.data?.[0]?.field, 'title');
