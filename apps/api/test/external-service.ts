import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A fake external HTTP service: keeps the last request and answers with `reply`. */
export class ExternalService<Body> {
  received!: { url: string; headers: IncomingHttpHeaders; body: Body };
  reply: [status: number, body: Buffer | string, headers?: Record<string, string>] = [200, ''];
  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString() || 'null') as Body;
      this.received = { url: request.url!, headers: request.headers, body };
      response.writeHead(this.reply[0], this.reply[2]).end(this.reply[1]);
    });
  });

  /** Resolves with its URL. */
  async start(): Promise<string> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  stop(): void {
    this.server.close();
  }
}
