import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a call that changes something is about. */
export type Act = 'create' | 'charge' | 'refund';
/** `error`: answers 500 and does nothing; `drop`: does it and closes the connection; `hold`: does it and answers when released. */
export type Fault = 'error' | 'drop' | 'hold';

export interface Sent {
  headers: Record<string, string>;
  body: string;
}

export interface PeerAnswer {
  status: number;
  json: unknown;
}

/** An acquirer of a test, over HTTP. Notifications are kept, and delivered by the test. */
export abstract class Peer {
  abstract readonly method: 'stripe' | 'tinkoff';
  /** Notifications that were not delivered yet, in the order of sending. */
  readonly sent: Sent[] = [];
  /** The next call of this kind fails so. */
  readonly faults: Partial<Record<Act, Fault>> = {};
  /** All calls of a kind that arrived, with the key by which they are idempotent. */
  readonly calls: { act: Act; key: string }[] = [];
  /** What the bank says of the next charges of saved cards. */
  bank: 'paid' | 'declined' | '3ds' = 'paid';
  refusesRefunds = false;
  /** Answers 503 to everything. */
  isDown = false;
  url: string;
  private server?: Server;
  private held: (() => void)[] = [];
  private heldNow?: () => void;

  abstract env(): Record<string, string>;
  /** The payer pays on the page, or is declined. */
  abstract pay(url: string, card?: 'good' | 'declined'): void;
  /** The page is closed without a payment. */
  abstract expire(url: string): void;
  /** Of the payment that is paid next, another sum than asked for. */
  abstract tamper(url: string, change: { amount?: number; currency?: string }): void;
  abstract refundThere(url: string, amount: number): void;
  /** Sums that were really moved, in hundredths: charges of saved cards, and refunds. */
  abstract moved(): { charged: number; refunded: number };
  /** A notification with this body, signed by the secret of the acquirer or another one. */
  abstract signed(body: Record<string, unknown>, secret?: string): Sent;

  /** Handles a call; `act` as above if it changes something. */
  protected abstract handle(
    request: IncomingMessage,
    body: string,
  ): { act?: Act; key?: string; answer: () => PeerAnswer };

  async start(): Promise<this> {
    this.server = createServer((request, response) => void this.serve(request, response));
    await new Promise<void>((done) => this.server!.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  stop(): void {
    this.server?.closeAllConnections();
    this.server?.close();
  }

  /** Resolves when a call is held. */
  holding(): Promise<void> {
    return this.held.length ? Promise.resolve() : new Promise((done) => (this.heldNow = done));
  }

  release(): void {
    for (const answer of this.held.splice(0)) answer();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    if (this.isDown) return void response.writeHead(503).end('{}');
    const { act, key, answer } = this.handle(request, Buffer.concat(chunks).toString());
    const fault = act && this.faults[act];
    if (act) {
      delete this.faults[act];
      this.calls.push({ act, key: key ?? '' });
    }
    if (fault === 'error') return void response.writeHead(500).end('{}');
    const { status, json } = answer();
    if (fault === 'drop') return void request.socket.destroy();
    const send = () =>
      void response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(json));
    if (fault !== 'hold') return send();
    this.held.push(send);
    this.heldNow?.();
  }
}
