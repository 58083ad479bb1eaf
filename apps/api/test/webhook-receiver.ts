import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A server of a customer that records the calls of webhooks. */
export class WebhookReceiver {
  readonly calls: Received[] = [];
  base = '';
  /** Replaced by tests to answer differently. */
  answer: (call: Received, response: ServerResponse) => void = (_, response) => {
    response.end('ok');
  };
  private server!: Server;

  async start(host = '127.0.0.1'): Promise<this> {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const call = { method, url, headers, body: Buffer.concat(chunks).toString() };
        this.calls.push(call);
        this.answer(call, response);
      });
    });
    await new Promise<void>((done) => this.server.listen(0, host, done));
    this.base = `http://${host}:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  /** Every call answers with this status. */
  status(status: number, headers: Record<string, string> = {}): void {
    this.answer = (_, response) => response.writeHead(status, headers).end();
  }

  /** The calls so far, which are forgotten. */
  take(): Received[] {
    return this.calls.splice(0);
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** Throws unless the call is signed with the secret, as the library of the standard verifies it. */
export function verified(secret: string, { body, headers }: Received): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}
