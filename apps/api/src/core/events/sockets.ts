import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { RESYNC } from '@heliograph/contract';
import { createAdapter } from '@socket.io/redis-adapter';
import { Redis } from 'ioredis';
import { Server, type Socket } from 'socket.io';
import { Authenticator, headerToken } from '../auth/authenticator.ts';
import { Config } from '../config.ts';
import { Log } from '../log.ts';
import { Rooms } from './rooms.ts';

/** How often a connected socket's session is looked at again. */
const RECHECK_MS = 15_000;

/** socket.io over Redis, so that any process reaches the sockets of all. Only the API has one. */
@Injectable()
export class Sockets implements OnApplicationBootstrap, OnApplicationShutdown {
  private server?: Server;
  private readonly connections: Redis[] = [];
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly http: HttpAdapterHost,
    private readonly config: Config,
    private readonly log: Log,
    private readonly authenticator: Authenticator,
  ) {}

  onApplicationBootstrap(): void {
    const [pub, sub] = [this.connect(), this.connect()];
    const server = new Server(this.http.httpAdapter.getHttpServer(), {
      serveClient: false,
      perMessageDeflate: false,
      adapter: createAdapter(pub, sub),
    });
    this.server = server;
    server.use((socket, next) => {
      this.authenticator.byToken(tokenOf(socket)).then(
        (actor) => {
          void socket.join(Rooms.joinedBy(actor));
          next();
        },
        () => next(new Error('unauthorized')),
      );
    });
    resyncAfterGaps(sub, server);
    this.timer = setInterval(() => void this.dropEnded(server), RECHECK_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
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

  private async dropEnded(server: Server): Promise<void> {
    for (const socket of server.sockets.sockets.values()) {
      await this.authenticator.byToken(tokenOf(socket)).catch((error: { status?: number }) => {
        if (error.status === 401) socket.disconnect(true);
      });
    }
  }
}

/**
 * What was told before this process heard Redis (again) is gone: its sockets fetch anew. The ping is answered after the
 * subscriptions that go before it, so nothing falls between the fetch and the first event that is heard.
 */
function resyncAfterGaps(sub: Redis, server: Server): void {
  sub.on('ready', () => {
    sub.ping().then(
      () => server.local.emit(RESYNC),
      () => undefined,
    );
  });
}

function tokenOf(socket: Socket): string {
  const { auth, query, headers } = socket.handshake;
  const given = (auth.token ?? query.token ?? headers.authorization) as string | undefined;
  return headerToken(given) ?? '';
}
