import type { CarrierReport, SendingType } from '@heliograph/contract';
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signed } from '../src/core/http/standard-webhooks.ts';
import type { RawAnswer } from './raw.ts';
import type { World } from './world.ts';

interface Taken {
  reference: string;
  recipient: string;
  payload: { text?: string; subject?: string };
}
type Item =
  | { result: 'accepted'; externalId?: string; externalIds?: string[] }
  | { result: 'rejected'; code?: string | number; text?: string };

/** A fake carrier behind an HTTP channel. The test controls its results and reports. */
export class Carrier {
  /** The references of each call. */
  readonly calls: Taken[][] = [];
  isBusy = false;
  /** Calls while it was busy. */
  refused = 0;
  /** Accepts the batch and closes the connection without an answer. */
  isMute = false;
  /** Results that it adds to those of the messages. */
  more: object[] = [];
  /** Runs between the call and its answer. */
  meanwhile: (message: Taken) => Promise<Item> = () => Promise.resolve({ result: 'accepted' });
  readonly name = `carrier-${randomUUID().slice(0, 8)}`;
  private readonly world: World;
  private readonly server: Server;
  readonly secret = `whsec_${randomBytes(24).toString('base64')}`;

  private constructor(world: World, server: Server) {
    this.world = world;
    this.server = server;
  }

  static async start(world: World, types: SendingType[], options = {}): Promise<Carrier> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const carrier = new Carrier(world, server);
    await world.db.query(
      `insert into channels (name, driver, types, priority, options) values ($1, 'http', $2, 10, $3)`,
      [
        carrier.name,
        types,
        { url: `http://127.0.0.1:${port}/`, secret: carrier.secret, ...options },
      ],
    );
    // Processes that cached the channels before would not use it for a second.
    world.forgetChannels();
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (carrier.isBusy) carrier.refused++;
        if (carrier.isBusy) return response.writeHead(503, { 'retry-after': '1' }).end();
        const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as { messages: Taken[] };
        carrier.calls.push(messages);
        if (carrier.isMute) return request.socket.destroy();
        const answers = messages.map(async (m) => ({
          reference: m.reference,
          ...(await carrier.meanwhile(m)),
        }));
        void Promise.all(answers).then((results) =>
          response.end(JSON.stringify({ results: [...results, ...carrier.more] })),
        );
      });
    });
    return carrier;
  }

  get taken(): string[] {
    return this.calls.flat().map((m) => m.reference);
  }

  report(statuses: CarrierReport[], headers?: Record<string, string>): Promise<RawAnswer> {
    return this.post('statuses', { statuses }, headers);
  }

  async post(path: string, body: object, headers = this.sign(body)): Promise<RawAnswer> {
    const answer = await fetch(`${this.world.base}/api/channels/${this.name}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: answer.status, headers: answer.headers, json: await answer.json() };
  }

  sign(body: object, id?: string): Record<string, string> {
    return signed(this.secret, JSON.stringify(body), id);
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
