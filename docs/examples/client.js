// Node.js 20 or newer, no packages needed. Set TOKEN and run it: node client.mjs
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const API = process.env.API ?? '{{api}}';
const { TOKEN } = process.env;
const TEMPORARY = [429, 500, 502, 503, 504];

class ApiError extends Error {
  constructor(status, body) {
    super(`${status} ${body.code}: ${body.message ?? body.error}`);
    Object.assign(this, { status, code: body.code, body });
  }
}

/** Repeats temporary errors. The same key makes the repetition harmless. */
async function call(method, path, { body, form, key = randomUUID(), attempts = 5 } = {}) {
  for (let attempt = 1; ; attempt++) {
    let wait = 2 ** (attempt - 1);
    try {
      const answer = await fetch(API + path, {
        method,
        headers: {
          Authorization: `Bearer ${TOKEN}`,
          'Idempotency-Key': key,
          ...(body && { 'Content-Type': 'application/json' }),
        },
        body: form ?? (body && JSON.stringify(body)),
        signal: AbortSignal.timeout(30_000),
      });
      const json = await answer.json();
      if (answer.ok) return json;
      const error = new ApiError(answer.status, json);
      if (!TEMPORARY.includes(answer.status) || attempt === attempts) throw error;
      wait = Number(answer.headers.get('retry-after')) || wait;
    } catch (error) {
      if (error instanceof ApiError || attempt === attempts) throw error;
    }
    await sleep(wait * 1000);
  }
}

// One message; the number of the order is a good key
const message = await call('POST', '/sendings', {
  body: {
    type: 'sms',
    recipient: '+79990000000',
    payload: { sender: 'DEMO', text: 'Your code is 1234' },
  },
  key: `order-${randomUUID()}`,
});
console.log('message', message.id);

// Its status
const { state } = await call('GET', `/sendings/${message.id}`);
console.log(state.status);

// A contact list and a file with contacts
const list = await call('POST', '/contactLists', { body: { title: 'Customers', type: 'regular' } });
const form = new FormData();
const table = 'phone,first name\n+79990000001,Anna\n+79990000002,Boris\n';
form.append('file', new Blob([table], { type: 'text/csv' }), 'contacts.csv');
const file = await call('POST', '/storage', { form });
const report = await call('PUT', '/contacts', {
  body: { ListId: list.id, from: { key: file.key } },
});
console.log('imported', report.total);

// A bulk to the list
const task = await call('POST', '/sendings', {
  body: {
    type: 'sms',
    recipient: { include: [list.id] },
    payload: { sender: 'DEMO', text: 'Hello {firstName}' },
  },
});
console.log('task', task.groupId);

// The balance
const me = await call('GET', '/users/me');
const balance = await call('GET', `/billings/balance/${me.id}`);
console.log('balance', balance.result);

// An error names the refused fields
await call('POST', '/sendings', {
  body: { type: 'sms', recipient: '+79990000000', payload: { sender: 'DEMO' } },
}).catch((error) =>
  console.log(
    error.code,
    error.body.data.map(({ field }) => field),
  ),
);
