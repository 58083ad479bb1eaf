import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { RESYNC } from '@heliograph/contract';
import { createAdapter } from '@socket.io/redis-adapter';
import type { Redis } from 'ioredis';
import type { IncomingMessage, Server as HttpServer } from 'node:http';
import { Server, type DefaultEventsMap, type Socket } from 'socket.io';
import { Authenticator } from '../auth/authenticator.ts';
import { Config } from '../config.ts';
import { addressOf, networkOf } from '../http/visitor.ts';
import { Log } from '../log.ts';
import { openRedis, WAIT } from '../redis.ts';
import { ConnectionLimits } from './connection-limits.ts';
import { isOwnOrigin, tokenOf } from './handshake.ts';
import { Rooms, SESSIONS_ENDED } from './rooms.ts';
import {
  dropUnreadableMessages,
  ignoreUnawaitedErrors,
  ignoreUpgradeErrors,
} from './safe-listeners.ts';

type AppServer = Server<DefaultEventsMap, DefaultEventsMap, DefaultEventsMap, SocketData>;
type AppSocket = Socket<DefaultEventsMap, DefaultEventsMap, DefaultEventsMap, SocketData>;

interface SocketData {
  sessionId: string;
}

/** A socket whose session cannot be found out by then is refused, and comes again. */
const PATIENCE_MS = 10_000;
/** How often a connected socket's session is looked at again. */
const RECHECK_MS = 15_000;
/** A client sends its token and nothing else. */
const MAX_PACKET_BYTES = 10_000;
const MAX_PACKETS = 100;
/** An engine connection that has not signed in by then is closed: longer than `PATIENCE_MS`. */
const CONNECT_TIMEOUT_MS = 15_000;

/** socket.io over Redis, so that any process reaches the sockets of all. Only the API has one. */
@Injectable()
export class Sockets implements OnApplicationBootstrap, OnApplicationShutdown {
  private server?: AppServer;
  private readonly connections: Redis[] = [];
  private timer?: NodeJS.Timeout;
  private stopped = false;
  private rechecked: Promise<void> = Promise.resolve();
  /** Sessions that ended while one of their sockets may have been on its way in. */
  private readonly ended = new Set<string>();

  constructor(
    private readonly http: HttpAdapterHost,
    private readonly config: Config,
    private readonly log: Log,
    private readonly authenticator: Authenticator,
  ) {}

  onApplicationBootstrap(): void {
    const [pub, sub] = [this.connect(), this.connect()];
    const http = this.http.httpAdapter.getHttpServer() as HttpServer;
    ignoreUpgradeErrors(http);
    const limits = new ConnectionLimits();
    const networkOfRequest = (request: IncomingMessage) =>
      networkOf(addressOf(request, this.config.TRUST_PROXY));
    const server: AppServer = new Server(http, {
      serveClient: false,
      perMessageDeflate: false,
      maxHttpBufferSize: MAX_PACKET_BYTES,
      connectTimeout: CONNECT_TIMEOUT_MS,
      allowRequest: (request, decide) =>
        decide(
          null,
          isOwnOrigin(request, this.config.publicUrl) && limits.mayOpen(networkOfRequest(request)),
        ),
      adapter: createAdapter(pub, sub),
    });
    this.server = server;
    server.engine.on('headers', (headers: Record<string, string>) => {
      headers['x-content-type-options'] = 'nosniff';
    });
    server.engine.on('connection', (connection: AppSocket['conn']) =>
      limits.opened(networkOfRequest(connection.request), connection),
    );
    server.use((socket, next) => {
      // Asynchronous as a whole: whatever it throws is a refusal.
      this.admit(socket, limits).then(
        () => next(),
        () => next(new Error('unauthorized')),
      );
    });
    server.on('connection', ignorePackets);
    dropUnreadableMessages(sub, this.log);
    server.on(SESSIONS_ENDED, (ids: string[]) => this.endSessions(ids));
    server.on('connection', (socket) => {
      if (this.ended.has(socket.data.sessionId)) socket.disconnect(true);
    });
    resyncAfterGaps(sub, server);
    this.schedule();
  }

  private async admit(socket: AppSocket, limits: ConnectionLimits): Promise<void> {
    const actor = await Promise.race([
      this.authenticator.byToken(tokenOf(socket.handshake)),
      late(),
    ]);
    limits.signedIn(actor.OwnerId, socket.conn);
    socket.data.sessionId = actor.sessionId;
    void socket.join(Rooms.joinedBy(actor));
  }

  /** Tells every socket of this process that it ends, and closes it; the other processes go on serving theirs. */
  disconnect(): void {
    this.server?.local.disconnectSockets(true);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    this.disconnect();
    await this.server?.close().catch(() => undefined);
    for (const redis of this.connections) redis.disconnect();
  }

  private connect(): Redis {
    const redis = openRedis(this.config, this.log, WAIT);
    ignoreUnawaitedErrors(redis);
    this.connections.push(redis);
    return redis;
  }

  private schedule(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.recheck()
        .catch((error: unknown) => this.log.warn({ err: error }, 'sockets were not looked at'))
        .finally(() => this.schedule());
    }, RECHECK_MS);
  }

  /** Their sockets here are cut off, and nothing is remembered of who they were. */
  private endSessions(ids: string[]): void {
    for (const id of ids) {
      this.authenticator.forget(id);
      this.ended.add(id);
      setTimeout(() => this.ended.delete(id), PATIENCE_MS).unref();
    }
    this.server?.local.in(ids.map((id) => Rooms.session(id))).disconnectSockets(true);
  }

  /**
   * Whose session has ended is cut off; whose grants have changed is in other rooms. One look for all, and one after
   * the other: what an earlier look found would undo what a later one did.
   */
  recheck(): Promise<void> {
    const next = this.rechecked.then(() => this.look());
    this.rechecked = next.catch(() => undefined);
    return next;
  }

  private async look(): Promise<void> {
    const sockets = [...(this.server?.sockets.sockets.values() ?? [])];
    if (!sockets.length) return;
    const ids = new Set(sockets.map((socket) => socket.data.sessionId));
    const actors = await this.authenticator.bySessions([...ids]);
    for (const socket of sockets) {
      const actor = actors.get(socket.data.sessionId);
      if (actor) move(socket, Rooms.joinedBy(actor));
      else socket.disconnect(true);
    }
  }
}

/** What it may see now is not what it has been told of: it fetches anew. */
function move(socket: AppSocket, rooms: string[]): void {
  const wanted = new Set([socket.id, ...rooms]);
  const left = [...socket.rooms].filter((room) => !wanted.has(room));
  const joined = rooms.filter((room) => !socket.rooms.has(room));
  for (const room of left) void socket.leave(room);
  void socket.join(joined);
  if (left.length || joined.length) socket.emit(RESYNC);
}

/**
 * What was told before this process heard Redis (again) is gone: its sockets fetch anew. The ping is answered after the
 * subscriptions that go before it, so nothing falls between the fetch and the first event that is heard.
 */
function resyncAfterGaps(sub: Redis, server: AppServer): void {
  sub.on('ready', () => {
    sub.ping().then(
      () => server.local.emit(RESYNC),
      () => undefined,
    );
  });
}

/** Events of a client are never dispatched; a client that goes on sending them is disconnected. */
function ignorePackets(socket: AppSocket): void {
  let received = 0;
  socket.use(() => {
    if (++received > MAX_PACKETS) socket.disconnect(true);
  });
}

const late = () =>
  new Promise<never>((_, reject) => {
    setTimeout(reject, PATIENCE_MS, new Error('the session was not found out in time')).unref();
  });
