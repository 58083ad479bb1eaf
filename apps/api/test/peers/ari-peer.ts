import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { z } from 'zod';

/** Access data of the peer, as options of a channel. */
export const ARI = { username: 'helio', password: 'a-password-of-ari' };

/** What ARI allows of a call that is given to an application, and nothing else. */
const Originate = z.strictObject({
  endpoint: z.string().regex(/^(PJSIP|SIP|Local)\/[^{}]+$/),
  app: z.string(),
  appArgs: z.string().optional(),
  callerId: z.string(),
  timeout: z.int().min(1),
  variables: z.record(z.string(), z.string()),
});
const Play = z.strictObject({ media: z.array(z.string().regex(/^sound:\S+$/)).min(1) });

interface PeerLeg {
  id: string;
  state: 'Down' | 'Ring' | 'Ringing' | 'Up';
  /** Whether the application has it. */
  isInStasis: boolean;
  app: string;
  variables: Record<string, string>;
}

/** What the next call of a path gets instead of its effect, or after it. */
interface Fault {
  on: string;
  status?: number;
  message?: string;
  /** The connection is broken off after the effect. */
  breaks?: boolean;
}

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** An Asterisk in the manner of the ARI reference, strict, whose calls the test answers. Events without a listener are lost. */
export class AriPeer {
  /** Method, path and body of each request. */
  readonly requests: { call: string; body: unknown }[] = [];
  readonly dialled: z.output<typeof Originate>[] = [];
  readonly played: string[] = [];
  readonly hungUp: string[] = [];
  readonly faults: Fault[] = [];
  /** Milliseconds that the clock is ahead of its first time. */
  elapsedMs = 0;
  /** Events get lost although the connection stands. */
  isMuted = false;
  private readonly legs = new Map<string, PeerLeg>();
  private readonly playbacks = new Set<string>();
  private readonly listeners = new Map<string, Socket>();
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((request, response) => void this.serve(request, response));

  async listen(): Promise<string> {
    this.server.on('upgrade', (request, socket) => this.upgrade(request, socket as Socket));
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/ari`;
  }

  close(): void {
    this.dropListeners();
    this.server.closeAllConnections();
    this.server.close();
  }

  get ids(): string[] {
    return [...this.legs.keys()];
  }

  get isHeard(): boolean {
    return this.listeners.size > 0;
  }

  /** The connections for events break. */
  dropListeners(): void {
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
    this.listeners.clear();
  }

  ring(id: string): void {
    this.change(id, 'Ringing');
  }

  /** The phone is dialled, and the application has the call already, as after `create` and `dial`. */
  enter(id: string): void {
    const leg = this.legs.get(id)!;
    leg.isInStasis = true;
    this.emit(leg.app, { type: 'StasisStart', args: [], channel: shown(leg) });
  }

  /** Somebody answers; the application gets the call then, as after a call that was originated. */
  answer(id: string): void {
    this.change(id, 'Up');
    if (!this.legs.get(id)!.isInStasis) this.enter(id);
  }

  press(id: string, digits: string): void {
    const leg = this.legs.get(id)!;
    for (const digit of digits)
      this.emit(leg.app, {
        type: 'ChannelDtmfReceived',
        digit,
        duration_ms: 90,
        channel: shown(leg),
      });
  }

  finish(id: string, state: 'done' | 'failed' = 'done'): void {
    this.playbacks.delete(id);
    const { app } = this.legs.get(id)!;
    const playback = {
      id,
      media_uri: 'sound:x',
      target_uri: `channel:${id}`,
      language: 'en',
      state,
    };
    this.emit(app, { type: 'PlaybackFinished', playback });
  }

  hangUp(id: string, cause: number, text = 'Cause'): void {
    const leg = this.legs.get(id)!;
    this.legs.delete(id);
    this.playbacks.delete(id);
    if (leg.isInStasis) this.emit(leg.app, { type: 'StasisEnd', channel: shown(leg) });
    this.emit(leg.app, { type: 'ChannelDestroyed', cause, cause_txt: text, channel: shown(leg) });
  }

  /** Any event as it is written. */
  emit(app: string, event: object): void {
    const socket = this.listeners.get(app);
    if (!socket || this.isMuted) return;
    const timestamp = timeAfter(this.elapsedMs);
    socket.write(frameOf(JSON.stringify({ application: app, timestamp, ...event })));
  }

  private change(id: string, state: PeerLeg['state']): void {
    const leg = this.legs.get(id)!;
    leg.state = state;
    this.emit(leg.app, { type: 'ChannelStateChange', channel: shown(leg) });
  }

  private isKnown({ headers }: IncomingMessage): boolean {
    const login = Buffer.from(`${ARI.username}:${ARI.password}`).toString('base64');
    return headers.authorization === `Basic ${login}`;
  }

  private upgrade(request: IncomingMessage, socket: Socket): void {
    const { pathname, searchParams } = new URL(request.url!, 'http://peer');
    const app = searchParams.get('app');
    if (!this.isKnown(request) || pathname !== '/ari/events' || !app) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const accept = createHash('sha1')
      .update(request.headers['sec-websocket-key']! + GUID)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    this.emit(app, { type: 'ApplicationReplaced' });
    this.listeners.set(app, socket);
    this.sockets.add(socket);
    const gone = () => {
      this.sockets.delete(socket);
      if (this.listeners.get(app) === socket) this.listeners.delete(app);
    };
    socket.on('error', gone).on('close', gone);
    // The only thing that an application writes is that it leaves.
    socket.on('data', () => {
      gone();
      socket.end(Buffer.from([0x88, 0]));
    });
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const { pathname, searchParams } = new URL(request.url!, 'http://peer');
    const path = pathname.replace(/^\/ari\//, '');
    const call = `${request.method} ${path}`;
    const body: unknown = text ? JSON.parse(text) : undefined;
    this.requests.push({ call, body });
    const answer = (status: number, document?: unknown) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(document === undefined ? '' : JSON.stringify(document));
    if (!this.isKnown(request)) return void answer(401, { message: 'Authentication required' });
    const at = this.faults.findIndex(({ on }) => call.startsWith(on));
    const [fault] = at < 0 ? [] : this.faults.splice(at, 1);
    if (fault?.status) return void answer(fault.status, { message: fault.message ?? 'Fault' });
    const [status, document] = this.act(call, body, searchParams);
    if (fault?.breaks) return void request.socket.destroy();
    answer(status, document);
  }

  private act(call: string, body: unknown, query: URLSearchParams): [number, unknown?] {
    const [method, path = ''] = call.split(' ');
    const [what, id = '', ...others] = path.split('/');
    const then = others.join('/');
    if (call === 'GET channels') return [200, [...this.legs.values()].map(shown)];
    if (method === 'POST' && what === 'events') {
      const app = query.get('application') ?? '';
      if (!this.listeners.has(app)) return [404, { message: 'Application not found' }];
      this.emit(app, { type: 'ChannelUserevent', eventname: others[0], userevent: {} });
      return [204];
    }
    if (method === 'GET' && what === 'playbacks')
      return this.playbacks.has(id) ? [200, { id, state: 'playing' }] : [404, NOT_FOUND];
    if (what !== 'channels') return [404, NOT_FOUND];
    const leg = this.legs.get(id);
    if (method === 'POST' && !then) {
      const { data } = Originate.safeParse(body);
      if (!data) return [400, { message: 'Invalid parameters' }];
      if (leg) return [409, { message: 'Channel with given unique ID already exists' }];
      this.dialled.push(data);
      const { app, variables } = data;
      const dialled: PeerLeg = { id, state: 'Down', isInStasis: false, app, variables };
      this.legs.set(id, dialled);
      return [200, shown(dialled)];
    }
    if (!leg) return [404, { message: 'Channel not found' }];
    if (method === 'DELETE') {
      if (query.get('reason') !== 'normal') return [400, { message: 'Invalid reason' }];
      this.hungUp.push(id);
      this.hangUp(id, 16, 'Normal Clearing');
      return [204];
    }
    if (method === 'POST' && then === 'variable') {
      if (!leg.isInStasis) return [409, NOT_IN_STASIS];
      leg.variables[query.get('variable') ?? ''] = query.get('value') ?? '';
      return [204];
    }
    if (method === 'GET' && then === 'variable') {
      if (!leg.isInStasis) return [409, NOT_IN_STASIS];
      const value = leg.variables[query.get('variable') ?? ''];
      return value === undefined ? [404, NOT_FOUND] : [200, { value }];
    }
    if (method === 'POST' && then.startsWith('play/')) {
      const { data } = Play.safeParse(body);
      if (!data) return [400, { message: 'Invalid parameters' }];
      if (!leg.isInStasis) return [409, NOT_IN_STASIS];
      if (leg.state !== 'Up') return [412, { message: 'Channel in invalid state' }];
      this.played.push(data.media[0]!);
      this.playbacks.add(then.slice('play/'.length));
      return [201, { id, state: 'queued', media_uri: data.media[0], target_uri: `channel:${id}` }];
    }
    return [404, NOT_FOUND];
  }
}

/** As Asterisk writes it, in a zone without a colon. */
const timeAfter = (ms: number) =>
  new Date(Date.parse('2026-11-28T10:00:00.250Z') + ms).toISOString().replace('Z', '+0300');

const NOT_IN_STASIS = { message: 'Channel not in Stasis application' };
const NOT_FOUND = { message: 'Resource not found' };

const shown = ({ id, state, isInStasis }: PeerLeg) => ({
  id,
  name: `PJSIP/trunk-${id.length}`,
  state,
  caller: { name: '', number: '' },
  connected: { name: '', number: '' },
  creationtime: '2026-11-28T10:00:00.000+0300',
  dialplan: { context: 'default', exten: 's', priority: 1, app_name: isInStasis ? 'Stasis' : '' },
});

/** A text of a server by RFC 6455, section 5.2. */
function frameOf(text: string): Buffer {
  const payload = Buffer.from(text);
  const head =
    payload.length < 126
      ? Buffer.from([0x81, payload.length])
      : Buffer.from([0x81, 126, payload.length >> 8, payload.length & 0xff]);
  return Buffer.concat([head, payload]);
}
