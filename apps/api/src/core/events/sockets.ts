import { IoAdapter } from '@nestjs/platform-socket.io';
import type { INestApplication } from '@nestjs/common';
import { RESYNC } from '@heliograph/contract';
import { createAdapter } from '@socket.io/redis-adapter';
import { Redis } from 'ioredis';
import type { Server, ServerOptions, Socket } from 'socket.io';
import { Authenticator, headerToken } from '../auth/authenticator.ts';
import { Config } from '../config.ts';
import { Log } from '../log.ts';
import { Rooms } from './rooms.ts';

/** How often a connected socket's session is looked at again. */
const RECHECK_MS = 15_000;
const OPTIONS = {
  path: '/socket.io',
  serveClient: false,
  perMessageDeflate: false,
} as ServerOptions;

/** socket.io over Redis, so that any API process reaches the sockets of all. */
export class Sockets extends IoAdapter {
  private server?: Server;
  private readonly connections: Redis[] = [];
  private timer?: NodeJS.Timeout;

  constructor(private readonly app: INestApplication) {
    super(app);
  }

  listen(): void {
    const config = this.app.get(Config);
    const log = this.app.get(Log);
    const [pub, sub] = [0, 1].map(() => {
      const redis = new Redis(config.REDIS_URL, { maxRetriesPerRequest: null });
      redis.on('error', (error) => log.debug({ err: error }, 'redis is away'));
      this.connections.push(redis);
      return redis;
    });
    const server = this.createIOServer(0, OPTIONS) as Server;
    this.server = server;
    server.adapter(createAdapter(pub!, sub!) as never);
    this.resyncAfterGaps(sub!, server);
    const authenticator = this.app.get(Authenticator);
    server.use((socket, next) => {
      authenticator.byToken(tokenOf(socket)).then(
        (actor) => {
          void socket.join(Rooms.joinedBy(actor));
          next();
        },
        () => next(new Error('unauthorized')),
      );
    });
    this.timer = setInterval(() => void this.dropEnded(server, authenticator), RECHECK_MS);
  }

  /** What was told while Redis was away is gone: everyone fetches anew. */
  private resyncAfterGaps(sub: Redis, server: Server): void {
    let wasReady = false;
    sub.on('ready', () => {
      if (wasReady) server.local.emit(RESYNC);
      wasReady = true;
    });
  }

  private async dropEnded(server: Server, authenticator: Authenticator): Promise<void> {
    for (const socket of server.sockets.sockets.values()) {
      await authenticator.byToken(tokenOf(socket)).catch((error: { status?: number }) => {
        if (error.status === 401) socket.disconnect(true);
      });
    }
  }

  override async dispose(): Promise<void> {
    clearInterval(this.timer);
    await this.server?.close();
    for (const redis of this.connections) redis.disconnect();
  }
}

function tokenOf(socket: Socket): string {
  const { auth, query, headers } = socket.handshake;
  return (
    headerToken(
      (auth.token as string | undefined) ??
        (query.token as string | undefined) ??
        headers.authorization,
    ) ?? ''
  );
}
