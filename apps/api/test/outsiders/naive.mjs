// A program as a newcomer writes it from the guide alone: fetch, a server of node:http, no package.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

const { API, LOGIN, PASSWORD } = process.env;
const session = {};
const call = async (method, path, body) => {
  const answer = await fetch(API + path, {
    method,
    headers: {
      ...(session.token && { Authorization: session.token }),
      'Content-Type': 'application/json',
    },
    body: body && JSON.stringify(body),
  });
  const json = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(json)}`);
  return json;
};
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

Object.assign(
  session,
  await call('POST', '/login', { username: LOGIN, password: PASSWORD, type: 'local' }),
);

const hook = {};
const events = [];
const isGenuine = (headers, body) => {
  const key = Buffer.from(hook.secret.replace('whsec_', ''), 'base64');
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const own = Buffer.from(createHmac('sha256', key).update(content).digest('base64'));
  return headers['webhook-signature'].split(' ').some((one) => {
    const given = Buffer.from(one.split(',')[1]);
    return given.length === own.length && timingSafeEqual(given, own);
  });
};
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    const isForged = isGenuine(request.headers, `${body} `);
    events.push({ isGenuine: isGenuine(request.headers, body), isForged, ...JSON.parse(body) });
    response.end();
  });
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}/hook`;
const created = await call('POST', '/webhooks', {
  title: 'Naive',
  event: 'sendings.status',
  url,
  statuses: ['delivered', 'failed'],
});
hook.secret = created.secret;

let since = new Date(Date.now() - 1000).toISOString();
const { id, status } = await call('POST', '/sendings', {
  type: 'sms',
  recipient: '8 (999) 000-00-00',
  payload: { sender: 'DEMO', text: 'Your order is ready' },
});
const polled = [];
const wanted = () => polled.includes('delivered') && events.length > 0;
for (let i = 0; i < 300 && !wanted(); i++) {
  const query = new URLSearchParams({ 'updatedAt[$gt]': since, $limit: '100' });
  const { data } = await call('GET', `/sendings?${query}`);
  for (const row of data) {
    if (row.id === id && polled.at(-1) !== row.state.status) polled.push(row.state.status);
    if (row.updatedAt > since) since = row.updatedAt;
  }
  await sleep(200);
}
server.close();
server.closeAllConnections();
console.log(JSON.stringify({ id, status, polled, events }));
