import { contactLists, contacts, sendings, tasks } from '@heliograph/contract';
import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../../../scripts/lib/ports.mjs';
import { loadConfig } from '../src/core/config.ts';
import { createLog } from '../src/core/log.ts';
import { Metrics } from '../src/core/metrics/metrics.ts';
import { VERSION } from '../src/core/version.ts';
import { MESSAGE } from './scene.ts';
import { until, World, type Person } from './world.ts';

const METRICS_TOKEN = 'a-token-of-the-operators';
const authorization = `Bearer ${METRICS_TOKEN}`;
const lines: Record<string, unknown>[] = [];
let world: World;
let owner: Person;
let port: number;

beforeAll(async () => {
  port = await freePort();
  world = await World.start({ METRICS_TOKEN, METRICS_PORT: String(port) });
  const to = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  Object.assign(world, { log: createLog('debug', 'test', to) });
  await world.startWorker();
  owner = await world.person();
});
afterAll(() => world.stop());

async function figures(base: string): Promise<Map<string, number>> {
  const answer = await fetch(`${base}/metrics`, { headers: { authorization } });
  expect(answer.headers.get('content-type')).toContain('text/plain');
  const text = (await answer.text()).split('\n').filter((line) => line && !line.startsWith('#'));
  return new Map(
    text.map((line): [string, number] => {
      const cut = line.lastIndexOf(' ');
      return [line.slice(0, cut), Number(line.slice(cut + 1))];
    }),
  );
}

async function bulk({ api }: Person, phone: string): Promise<string> {
  const { id: ListId } = await api(contactLists.create, {
    body: { title: 'Tea lovers', type: 'regular' },
  });
  await api(contacts.create, { body: { ListId, phone } });
  const body = { ...MESSAGE, recipient: { include: [ListId] } };
  return ((await api(sendings.create, { body })) as { id: string }).id;
}

test('metrics require the token and are disabled without a configured one', async () => {
  const status = async (base: string, headers = {}) =>
    (await fetch(`${base}/metrics`, { headers })).status;
  for (const base of [world.base, `http://127.0.0.1:${port}`]) {
    expect(await status(base)).toBe(401);
    expect(await status(base, { authorization: 'Bearer another-token-of-them' })).toBe(401);
    expect(await status(base, { authorization: `Bearer ${owner.token}` })).toBe(401);
    expect(await status(base, { authorization })).toBe(200);
  }
  expect(await status(`http://127.0.0.1:${port}/api`, { authorization })).toBe(404);

  const closed = await World.start();
  await until(async () => (await fetch(`${closed.base}/api/health`)).ok, 'readiness');
  expect(await status(closed.base)).toBe(404);
  expect(await status(closed.base, { authorization: 'Bearer undefined' })).toBe(404);
  await closed.stop();
});

test('a port without a token, and a short token, stop the boot', () => {
  const base = { DATABASE_URL: 'postgres://x', REDIS_URL: 'redis://x' };
  expect(() => loadConfig({ ...base, METRICS_PORT: '9100' })).toThrow(/METRICS_TOKEN/);
  expect(() => loadConfig({ ...base, METRICS_TOKEN: 'short' })).toThrow(/METRICS_TOKEN/);
  expect(loadConfig({ ...base, METRICS_TOKEN, METRICS_PORT: '9100' }).METRICS_PORT).toBe(9100);
});

test('each process counts its messages, ledger entries, requests and lag', async () => {
  const recipient = '+79990000002';
  const { id } = (await owner.api(sendings.create, {
    body: { ...MESSAGE, recipient },
  })) as { id: string };
  await until(
    async () => (await owner.api(sendings.get, { params: { id } })).state.status === 'failed',
    'the failure',
  );
  const api = await figures(world.base);
  expect(api.get('heliograph_messages_total{type="viber",status="pending"}')).toBe(1);
  expect(api.get('heliograph_ledger_operations_total{operation="charge"}')).toBe(1);
  expect(
    api.get(
      'heliograph_http_request_duration_seconds_count{method="POST",route="/api/sendings",status="2xx"}',
    ),
  ).toBe(1);
  expect(api.get('heliograph_submit_lag_seconds{priority="single"}')).toBe(0);
  expect(api.get('heliograph_database_connections{state="awaited"}')).toBe(0);
  expect(api.get('heliograph_queue_jobs{queue="dispatch",state="wait"}')).toBeDefined();
  expect(api.get('heliograph_enqueue_failures_total')).toBe(0);
  expect(api.has('nodejs_eventloop_lag_p99_seconds')).toBe(true);

  const worker = await figures(`http://127.0.0.1:${port}`);
  expect(worker.get('heliograph_messages_total{type="viber",status="sent"}')).toBe(1);
  expect(worker.get('heliograph_messages_total{type="viber",status="failed"}')).toBe(1);
  expect(worker.get('heliograph_messages_total{type="viber",status="delivered"}')).toBeUndefined();
  expect(worker.get('heliograph_ledger_operations_total{operation="refund"}')).toBe(1);
  expect(worker.get('heliograph_batch_size_count{step="submitted"}')).toBe(1);
  const accepted = [...worker].filter(([name]) =>
    /^heliograph_channel_messages_total\{channel="[^"]+",result="accepted"\}$/.test(name),
  );
  expect(accepted.map(([, value]) => value)).toEqual([1]);
  expect(
    worker.get('heliograph_job_duration_seconds_count{job="sendings.dispatch",result="done"}'),
  ).toBeGreaterThan(0);
});

test('due unsubmitted messages are lag; those of a paused task or an inactive channel are not', async () => {
  const idle = await World.start({ METRICS_TOKEN });
  const person = await idle.person();
  const lag = async (priority: string) =>
    (await figures(idle.base)).get(`heliograph_submit_lag_seconds{priority="${priority}"}`)!;
  await person.api(sendings.create, { body: { ...MESSAGE, recipient: '+79001230001' } });
  const task = await bulk(person, '+79001230002');
  await idle.db.query(
    `insert into batches (task_id, owner_id, channel, type, priority, size, first_id, last_id, due_at)
     select $1, owner_id, channel, type, 1, size, first_id, last_id, due_at from batches`,
    [task],
  );
  await idle.db.query(`update batches set due_at = now() - interval '1 hour'`);
  expect(await lag('single')).toBeCloseTo(3600, -2);
  expect(await lag('bulk')).toBeCloseTo(3600, -2);
  const [{ channel }] = (await idle.db.query<{ channel: string }>(
    `select distinct channel from batches`,
  )) as [{ channel: string }];
  const ofChannel = async (name: string) =>
    (await figures(idle.base)).get(`heliograph_channel_${name}{channel="${channel}"}`);
  expect(await ofChannel('waiting_messages')).toBe(2);
  expect(await ofChannel('up')).toBe(1);
  await idle.db.query(
    `insert into channel_states (channel, failures) values ($1, 2) on conflict (channel) do update set failures = 2`,
    [channel],
  );
  expect(await ofChannel('up')).toBe(0);
  await person.api(tasks.update, { params: { id: task }, body: { state: 'paused' } });
  expect(await lag('bulk')).toBe(0);
  expect(await ofChannel('waiting_messages')).toBe(1);
  expect(await lag('single')).toBeCloseTo(3600, -2);
  await idle.db.query(`update channels set is_active = false`);
  expect(await lag('single')).toBe(0);
  expect(await ofChannel('waiting_messages')).toBeUndefined();
  await idle.stop();
});

test('lines carry the ids of the request, or of the job, the task and the batch that they are about', async () => {
  const requestId = `request-${Date.now()}`;
  const { base } = await world.startApi();
  await fetch(`${base}/api/tasks`, {
    headers: { authorization: owner.token, 'x-request-id': requestId },
  });
  const answered = await until(
    async () => lines.find((line) => line.msg === 'request' && line.requestId === requestId),
    'the line of the request',
  );
  expect(answered).toMatchObject({ userId: owner.id, OwnerId: owner.OwnerId, status: 200 });

  await world.db.query(`update channels set options = '{"profile": "dead"}'`);
  world.forgetChannels();
  const taskId = await bulk(owner, '+79001230001');
  const refused = await until(
    async () =>
      lines.find(
        (line) => line.msg === 'Channel down; it is tried again later.' && line.taskId === taskId,
      ),
    'the log line of the refused submit',
  );
  const [batch] = await world.db.query<{ id: string }>(
    `select id from batches where task_id = $1`,
    [taskId],
  );
  expect(refused).toMatchObject({
    job: 'sendings.dispatch',
    jobId: expect.any(String) as string,
    batchId: batch!.id,
    channel: 'simulator',
  });
});

test('the rules of alerts and the documentation name metrics that exist, and each gauge is there at once', async () => {
  const { registry } = world.api.get(Metrics);
  const known = new Set(registry.getMetricsAsArray().map(({ name }) => name));
  const read = (path: string) =>
    readFileSync(new URL(`../../../docs/${path}`, import.meta.url), 'utf8');
  const namesIn = (text: string) =>
    new Set(
      [...text.matchAll(/\b(?:heliograph|nodejs)_[a-z0-9_]+/g)].map(([name]) =>
        name.replace(/_(?:count|sum|bucket)$/, ''),
      ),
    );
  const rules = namesIn(read('monitoring/heliograph-alerts.yml'));
  expect(rules.size).toBeGreaterThan(10);
  for (const name of rules) expect(known).toContain(name);
  const board = read('monitoring/heliograph-channels.json');
  const shown = namesIn(board);
  expect(shown.size).toBeGreaterThan(6);
  for (const name of shown) expect(known).toContain(name);
  const { panels, templating } = JSON.parse(board) as {
    panels: { id: number; title: string; targets: { expr: string }[] }[];
    templating: { list: { name: string }[] };
  };
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const variables = templating.list.map(({ name }) => name);
  for (const { title, targets } of panels)
    for (const { expr } of targets) {
      expect([title, isBalanced(expr)]).toEqual([title, true]);
      for (const [, name] of expr.matchAll(/\$(\w+)/g)) expect(variables).toContain(name);
    }
  const alerts = [
    ...read('monitoring/heliograph-alerts.yml').matchAll(/alert: (\w+)\n +expr: '(.*)'/g),
  ];
  expect(new Set(alerts.map(([, name]) => name)).size).toBe(alerts.length);
  for (const [, name, expr] of alerts) expect([name, isBalanced(expr!)]).toEqual([name, true]);
  // Labels that are compared are those of the metric.
  for (const [, metric, labels] of [
    ...alerts.map(([, , expr]) => expr!),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ]
    .join('\n')
    .matchAll(/(heliograph_\w+)\{([^}]*)\}/g)) {
    const own = (
      registry.getSingleMetric(metric!.replace(/_(?:count|sum|bucket)$/, '')) as unknown as {
        labelNames: string[];
      }
    ).labelNames;
    for (const [, label] of labels!.matchAll(/\b(\w+)[=!]/g))
      expect([metric, own]).toEqual([metric, expect.arrayContaining([label])]);
  }
  const documented = namesIn(read('operations.md').split('## Monitoring')[1]!.split('\n## ')[0]!);
  const own = [...known].filter((name) => name.startsWith('heliograph_'));
  expect(own.filter((name) => !documented.has(name))).toEqual([]);

  const now = await figures(world.base);
  expect(now.get('heliograph_database_up')).toBe(1);
  expect(now.get('heliograph_webhook_lag_seconds')).toBe(0);
  expect(now.get('heliograph_notification_lag_seconds')).toBe(0);
  expect(now.get(`heliograph_build_info{version="${VERSION}",build="unknown"}`)).toBe(1);
});

/** Whether brackets and quotes of an expression are closed in their order. */
function isBalanced(expr: string): boolean {
  const open: string[] = [];
  const pairs: Record<string, string> = { ')': '(', '}': '{', ']': '[' };
  for (const sign of expr.replace(/"[^"]*"/g, '')) {
    if (sign === '"') return false;
    if ('({['.includes(sign)) open.push(sign);
    else if (pairs[sign] && open.pop() !== pairs[sign]) return false;
  }
  return open.length === 0;
}

test('a database that hangs is reported as down, not left out', async () => {
  const other = await World.start({ METRICS_TOKEN });
  const query = vi.spyOn(other.db, 'query').mockReturnValue(new Promise(() => undefined));
  expect((await figures(other.base)).get('heliograph_database_up')).toBe(0);
  query.mockRestore();
  await other.stop();
});
