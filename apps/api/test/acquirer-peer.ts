import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Acquirer } from '../../simulator/src/acquirer.ts';

export const SANDBOX_SECRET = 'secret-of-the-sandbox';

/** The sandbox acquirer of a test. Notifications are kept, and delivered by the test. */
export class AcquirerPeer {
  readonly sent: { body: string; signature: string }[] = [];
  url: string;
  readonly acquirer = new Acquirer({
    secret: SANDBOX_SECRET,
    baseUrl: () => this.url,
    deliver: (_url, body, signature) => Promise.resolve(this.sent.push({ body, signature })),
  });
  private server?: Server;
  private held?: { at: 'call' | 'answer'; came: () => void };

  async start(port = 0): Promise<string> {
    const inner = this.acquirer.serve();
    this.server = createServer((request, response) => {
      const { held } = this;
      if (held && request.headers.authorization && request.method === 'POST') {
        this.held = undefined;
        if (held.at === 'call') return held.came();
        response.writeHead = () => response;
        response.end = () => {
          held.came();
          return response;
        };
      }
      inner.emit('request', request, response);
    });
    await new Promise<void>((done) => this.server!.listen(port, '127.0.0.1', done));
    return (this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`);
  }

  /** Of the next order, charge or refund: it never acts, or never gets its answer. Resolves when that point is reached. */
  hold(at: 'call' | 'answer'): Promise<void> {
    return new Promise((came) => {
      this.held = { at, came };
    });
  }

  /** What was taken and refunded, by our id of the payment. */
  taken(reference: string): { status: string; refunds: string[] } | undefined {
    const found = [...this.acquirer.payments.values()].find((one) => one.reference === reference);
    return found && { status: found.status, refunds: Object.values(found.refunds) };
  }

  stop(): void {
    this.server?.closeAllConnections();
    this.server?.close();
  }

  /** The payer chooses a card. Resolves with the address to which the page leads. */
  async pay(url: string, form: Record<string, string>): Promise<string> {
    const body = new URLSearchParams(form);
    const response = await fetch(url, { method: 'POST', body, redirect: 'manual' });
    return response.headers.get('location') ?? String(response.status);
  }
}
