import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { signed } from '../apps/api/src/core/http/standard-webhooks.ts';
import type { Random } from './random.ts';

export const CARRIERS = ['healthy', 'slow', 'flaky', 'dying', 'spare'] as const;
export type CarrierName = (typeof CARRIERS)[number];

const SLOW_MS = 3000;
/** The dying one works for so long, and then is away for so long. */
const ALIVE_MS = 2000;
const DEAD_MS = 4000;

/** A carrier behind the driver `http`, in the process of the test: it outlives all faults, so what it took is certain. */
export class SomeCarrier {
  readonly name: CarrierName;
  /** How often each reference was taken. */
  readonly taken = new Map<string, number>();
  /** Set after the faults: from then on it takes everything at once. */
  isWell = false;
  private readonly owed: string[] = [];
  private readonly random: Random;
  private readonly server: Server;
  private readonly started = Date.now();
  private reporting?: Promise<void>;
  private isClosed = false;

  constructor(name: CarrierName, random: Random) {
    this.name = name;
    this.random = random;
    this.server = createServer((request, response) => {
      this.answer(request, response).catch(() => response.destroy());
    });
  }

  /** The address at which it takes batches; its receipts go to `api`, until they are taken. */
  async open(api: string, secret: string): Promise<string> {
    await new Promise<void>((resolve) => {
      this.server.listen(0, '127.0.0.1', resolve);
    });
    this.reporting = this.report(api, secret);
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/messages`;
  }

  get isSilent(): boolean {
    return this.owed.length === 0;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.server.closeAllConnections();
    this.server.close();
    await this.reporting;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as {
      messages: { reference: string }[];
    };
    const references = messages.map(({ reference }) => reference);
    const roll = this.isWell ? 1 : this.random.roll();
    const isFlaky = this.name === 'flaky';
    if (this.isDead() || (isFlaky && roll < 0.2)) {
      response.writeHead(503).end();
      return;
    }
    if (isFlaky && roll < 0.35) {
      reply(response, references, { result: 'throttled', retryAfter: 1000 });
      return;
    }
    for (const reference of references)
      this.taken.set(reference, (this.taken.get(reference) ?? 0) + 1);
    this.owed.push(...references);
    if (isFlaky && roll < 0.45) {
      response.destroy();
      return;
    }
    if (this.name === 'slow' && !this.isWell) await sleep(SLOW_MS);
    reply(response, references, { result: 'accepted' });
  }

  private isDead(): boolean {
    if (this.name !== 'dying' || this.isWell) return false;
    return (Date.now() - this.started) % (ALIVE_MS + DEAD_MS) >= ALIVE_MS;
  }

  private async report(api: string, secret: string): Promise<void> {
    while (!this.isClosed) {
      await sleep(100);
      const references = this.owed.slice(0, 200);
      if (!references.length) continue;
      const at = new Date();
      const statuses = references.map((reference) => ({ reference, status: 'delivered', at }));
      const body = JSON.stringify({ statuses });
      const answer = await fetch(`${api}/api/channels/${this.name}/statuses`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...signed(secret, body) },
        body,
        signal: AbortSignal.timeout(8000),
      }).catch(() => undefined);
      await answer?.arrayBuffer().catch(() => undefined);
      if (answer?.ok) this.owed.splice(0, references.length);
    }
  }
}

function reply(response: ServerResponse, references: string[], result: object): void {
  const results = references.map((reference) => ({ reference, ...result }));
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }));
}
