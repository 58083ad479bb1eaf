import { mkdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { haproxy, nginx } from '../../../../scripts/lib/proxies.mjs';
import { type Person, until } from '../world.ts';
import { sender } from './delivery.ts';
import { Processes, type Running } from './processes.ts';

const OPERATIONS = readFileSync(
  fileURLToPath(new URL('../../../../docs/operations.md', import.meta.url)),
  'utf8',
);
/** The documented settings of a proxy, for these ports. */
function documented(language: string, ports: string[]): string {
  const text = OPERATIONS.split(`\`\`\`${language}\n`)[1]!.split('\n```')[0]!;
  return ports.reduce(
    (all, port, i) => all.replaceAll(`127.0.0.1:300${i + 1}`, `127.0.0.1:${port}`),
    text,
  );
}

let cluster: Processes;
let owner: Person;
let phone = 9030000000;

beforeAll(async () => {
  cluster = await Processes.start();
  owner = await sender(cluster.world, 1);
}, 600_000);
afterAll(() => cluster?.stop());

/** The status of one call; 0 when there is no answer. */
function send(base: string, agent: Agent, recipient: string): Promise<number> {
  return new Promise((resolve) => {
    const headers = {
      authorization: owner.token,
      'content-type': 'application/json',
      'idempotency-key': recipient,
    };
    const asked = request(`${base}/api/sendings`, { agent, method: 'POST', headers }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode!)).on('error', () => resolve(0));
    });
    asked.on('error', () => resolve(0));
    asked.end(
      JSON.stringify({ type: 'viber', recipient, payload: { sender: 'MIRTEA', text: 'Tea' } }),
    );
  });
}

test.each([
  ['nginx', nginx, '0'],
  ['haproxy', haproxy, '3'],
] as const)(
  'a restart of all APIs behind the documented %s loses no call',
  async (name, start, delay) => {
    const folder = join(cluster.folder, name);
    mkdirSync(folder);
    const apis: { process: Running; base: string }[] = [];
    for (let i = 0; i < 3; i++)
      apis.push(await cluster.api(`${name}-${i}`, { SHUTDOWN_DELAY_SECONDS: delay }));
    const proxy = await start({
      folder,
      settings: documented(
        name,
        apis.map(({ base }) => new URL(base).port),
      ),
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const sent: string[] = [];
    const refused: number[] = [];
    let isOver = false;
    const customer = async () => {
      while (!isOver) {
        const recipient = `+7${phone++}`;
        for (;;) {
          const status = await send(proxy.base, agent, recipient);
          if (status === 200) break;
          // As the documents ask of clients: the key makes it one message.
          refused.push(status);
          await sleep(20);
        }
        sent.push(recipient);
      }
    };
    const customers = Array.from({ length: 8 }, customer);
    await until(async () => sent.length > 100, 'some load');
    for (const { process } of apis) {
      expect(await process.stop()).toMatchObject({ code: 0 });
      await process.start();
    }
    isOver = true;
    await Promise.all(customers);
    agent.destroy();
    await proxy.stop();
    const rows = await cluster.world.db.query<{ phone: string; n: number }>(
      `select phone, count(*)::int as n from sendings where phone = any($1) group by phone`,
      [sent],
    );
    // A connection that a process has taken from the network and not yet accepted when it ends may be cut off.
    expect(refused.length).toBeLessThan(sent.length / 100);
    expect(rows.filter(({ n }) => n !== 1)).toEqual([]);
    expect(rows).toHaveLength(sent.length);
    for (const { process } of apis) await process.stop();
  },
  600_000,
);
