import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSigned } from '../apps/simulator/src/signature.ts';
import { Random } from './random.ts';

/** How often a call has which fate. The endpoint acts on a swallowed call, a slow one and a mute one. */
const FATES = { taken: 86, refused: 5, dropped: 2, swallowed: 3, slow: 3.5, mute: 0.5 };

/** One event of a call that arrived. */
export interface Heard {
  /** The `webhook-id` of the call. */
  call: string;
  key: string;
  status: string;
}

/** A customer's server for webhooks that answers badly at random. It knows its callers by their path and their signature. */
export class FlakyReceiver {
  url = '';
  /** Calls that were not answered with a success. */
  failed = 0;
  /** What arrived, by path, in the order of arrival. */
  readonly heard = new Map<string, Heard[]>();
  /** Calls whose signature does not fit. */
  readonly unsigned: string[] = [];
  /** Every call is refused. */
  isDown = false;
  private readonly secrets = new Map<string, string>();
  private random = new Random('');
  private isFlaky = false;
  /** One call of a round fails at least, however few come while the faults are injected. */
  private isFirst = false;
  private readonly server = createServer((request, response) => {
    this.take(request, response).catch(() => request.destroy());
  });

  async open(): Promise<void> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Forgets the callers of the previous round. */
  begin(seed: string): void {
    this.secrets.clear();
    this.heard.clear();
    this.unsigned.length = 0;
    this.random = new Random(`${seed} receiver`);
    this.isFlaky = true;
    this.isFirst = true;
  }

  expect(path: string, secret: string): void {
    this.secrets.set(path, secret);
    this.heard.set(path, []);
  }

  calm(): void {
    this.isFlaky = false;
    this.isDown = false;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const path = request.url!;
    const list = this.heard.get(path);
    // Of the previous round.
    if (!list) return void response.end();
    const isRefused = this.isDown || this.isFirst;
    this.isFirst = false;
    const fate = isRefused ? 'refused' : this.isFlaky ? this.random.weighed(FATES) : 'taken';
    if (fate !== 'taken' && fate !== 'slow') this.failed++;
    if (fate === 'refused') return void response.writeHead(503).end();
    if (fate === 'dropped') return void request.destroy();
    const body = Buffer.concat(parts);
    const call = String(request.headers['webhook-id']);
    if (!isSigned(this.secrets.get(path)!, request.headers, body)) this.unsigned.push(call);
    const { data } = JSON.parse(body.toString()) as { data: Report | Report[] };
    for (const { id, status } of Array.isArray(data) ? data : [data])
      list.push({ call, key: id, status });
    if (fate === 'mute') return;
    if (fate === 'swallowed') return void request.destroy();
    if (fate === 'slow') await sleep(this.random.between(0, 400));
    response.end();
  }
}

interface Report {
  id: string;
  status: string;
}
