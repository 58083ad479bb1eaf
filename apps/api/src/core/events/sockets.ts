import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { RESYNC } from '@heliograph/contract';
import { createAdapter } from '@socket.io/redis-adapter';
import { Redis } from 'ioredis';
import { Server, type DefaultEventsMap, type Socket } from 'socket.io';
import { Authenticator, headerToken } from '../auth/authenticator.ts';
import { Config } from '../config.ts';
import { Log } from '../log.ts';
import { Rooms } from './rooms.ts';

type AppServer = Server<DefaultEventsMap, DefaultEventsMap, DefaultEventsMap, SocketData>;
type AppSocket = Socket<DefaultEventsMap, DefaultEventsMap, DefaultEventsMap, SocketData>;

interface SocketData {
  sessionId: string;
}

/** A socket whose session cannot be found out by then is refused, and comes again. */
const PATIENCE_MS = 10_000;
/** How often a connected socket's session is looked at again. */
const RECHECK_MS = 15_000;

/** socket.io over Redis, so that any process reaches the sockets of all. Only the API has one. */
@Injectable()
export class Sockets implements OnApplicationBootstrap, OnApplicationShutdown {
  private server?: AppServer;
  private readonly connections: Redis[] = [];
  private timer?: NodeJS.Timeout;
  private stopped = false;

  constructor(
    private readonly http: HttpAdapterHost,
    private readonly config: Config,
    private readonly log: Log,
    private readonly authenticator: Authenticator,
  ) {}

  onApplicationBootstrap(): void {
    const [pub, sub] = [this.connect(), this.connect()];
    const server: AppServer = new Server(this.http.httpAdapter.getHttpServer(), {
      serveClient: false,
      perMessageDeflate: false,
      adapter: createAdapter(pub, sub),
    });
    this.server = server;
    server.use((socket, next) => {
      Promise.race([this.authenticator.byToken(tokenOf(socket)), late()]).then(
        (actor) => {
          socket.data.sessionId = actor.sessionId;
          void socket.join(Rooms.joinedBy(actor));
          next();
        },
        () => next(new Error('unauthorized')),
      );
    });
    resyncAfterGaps(sub, server);
    this.schedule();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    // Those of this process alone: the others go on serving theirs.
    this.server?.local.disconnectSockets(true);
    await this.server?.close().catch(() => undefined);
    for (const redis of this.connections) redis.disconnect();
  }

  private connect(): Redis {
    const redis = new Redis(this.config.REDIS_URL, { maxRetriesPerRequest: null });
    redis.on('error', (error) => this.log.debug({ err: error }, 'redis is away'));
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

  /** Whose session has ended is cut off; whose grants have changed is in other rooms. One look for all. */
  async recheck(): Promise<void> {
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

const late = () =>
  new Promise<never>((_, reject) => {
    setTimeout(reject, PATIENCE_MS, new Error('the session was not found out in time')).unref();
  });

function tokenOf(socket: AppSocket): string {
  const { auth, query, headers } = socket.handshake;
  const given = (auth.token ?? query.token ?? headers.authorization) as string | undefined;
  return headerToken(given) ?? '';
}
