import { Smsc, type ProfileOptions } from '@heliograph/simulators';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { signed } from '../apps/api/src/core/http/standard-webhooks.ts';
import type { Random } from './random.ts';

export const HTTP_CARRIERS = ['healthy', 'slow', 'flaky', 'dying', 'spare'] as const;
/** Both allow a few connections; the second cuts them. */
export const SESSION_CARRIERS = ['sessions', 'cutting'] as const;
export const CARRIERS = [...HTTP_CARRIERS, ...SESSION_CARRIERS];
export type CarrierName = (typeof CARRIERS)[number];

/** A message as a carrier sees it: some know the reference, others what was sent to whom. */
export type Taken = { reference: string } | { text: string; recipient: string };

/** They live in the process of the test and outlive all faults, so what they took is certain. */
export interface Carrier {
  readonly name: CarrierName;
  /** Set after the faults: from then on it takes everything at once. */
  isWell: boolean;
  /** Nothing is to be reported any more. */
  readonly isSilent: boolean;
  /** All that it took, in their order. */
  taken(): Taken[];
  /** Its channel: driver, types and options. Its receipts go to `api`, until they are taken. */
  open(api: string, secret: string): Promise<{ driver: string; types: string[]; options: object }>;
  close(): Promise<void>;
}

/** Of these two a look-up finds one. */
export const NETWORKS = ['25001', '25002'] as const;
/** They look numbers up, too. */
const LOOKING: readonly CarrierName[] = ['flaky', 'healthy'];
const SLOW_MS = 3000;
/** The dying one works for so long, and then is away for so long. */
const ALIVE_MS = 2000;
const DEAD_MS = 4000;

/** A carrier behind the driver `http`. */
export class HttpCarrier implements Carrier {
  readonly name: CarrierName;
  isWell = false;
  private readonly references: string[] = [];
  private readonly owed: { reference: string; lookup?: { network: string } }[] = [];
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

  async open(api: string, secret: string) {
    await new Promise<void>((resolve) => {
      this.server.listen(0, '127.0.0.1', resolve);
    });
    this.reporting = this.report(api, secret);
    const url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/messages`;
    const options = { url, secret, deduplicates: false, maxBatch: 20, connections: 4 };
    const types = ['viber', 'sms', ...(LOOKING.includes(this.name) ? ['hlr'] : [])];
    return { driver: 'http', types, options };
  }

  taken(): Taken[] {
    return this.references.map((reference) => ({ reference }));
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
      messages: { reference: string; type: string; recipient: string }[];
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
    this.references.push(...references);
    for (const { reference, type, recipient } of messages) {
      const network = NETWORKS[Number(recipient.at(-1)) % NETWORKS.length]!;
      this.owed.push({ reference, ...(type === 'hlr' && { lookup: { network } }) });
    }
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
      const reported = this.owed.slice(0, 200);
      if (!reported.length) continue;
      const at = new Date();
      const statuses = reported.map((one) => ({ ...one, status: 'delivered', at }));
      const body = JSON.stringify({ statuses });
      const answer = await fetch(`${api}/api/channels/${this.name}/statuses`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...signed(secret, body) },
        body,
        signal: AbortSignal.timeout(8000),
      }).catch(() => undefined);
      await answer?.arrayBuffer().catch(() => undefined);
      if (answer?.ok) this.owed.splice(0, reported.length);
    }
  }
}

const ACCOUNT = { systemId: 'chaos', password: 'secret' };
/** Connections that a carrier allows: two workers have one each. */
const BINDS = 2;
const SOON: ProfileOptions = {
  failed: 0,
  temporary: 0,
  replies: 0,
  sentDelay: [0, 200],
  deliveredDelay: [0, 800],
};

/** A carrier over SMPP that refuses connections beyond two. */
export class SessionCarrier implements Carrier {
  readonly name: CarrierName;
  private readonly smsc: Smsc;

  constructor(name: CarrierName, seed: string) {
    this.name = name;
    const cutting = { answerMs: 100, breakAfter: 60 };
    this.smsc = new Smsc({
      ...ACCOUNT,
      maxBinds: BINDS,
      profile: { ...SOON, throttled: 0.02 },
      seed,
      ...(name === 'cutting' && cutting),
    });
  }

  async open() {
    const url = `smpp://127.0.0.1:${await this.smsc.listen(0, '127.0.0.1')}`;
    return { driver: 'smpp', types: ['sms'], options: { ...ACCOUNT, url, binds: BINDS } };
  }

  get isWell(): boolean {
    return this.smsc.options.breakAfter === undefined;
  }

  set isWell(isWell: boolean) {
    if (isWell) this.smsc.options = { ...ACCOUNT, maxBinds: BINDS, profile: SOON };
  }

  /** Each message that was taken has one receipt. */
  get isSilent(): boolean {
    return this.smsc.mailbox.acknowledged === this.taken().length;
  }

  taken(): Taken[] {
    return this.smsc.log.filter(({ status }) => status === 0);
  }

  close(): Promise<void> {
    return this.smsc.close();
  }
}

function reply(response: ServerResponse, references: string[], result: object): void {
  const results = references.map((reference) => ({ reference, ...result }));
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }));
}
