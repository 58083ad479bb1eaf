import type { INestApplication } from '@nestjs/common';
import { IoAdapter } from '@nestjs/platform-socket.io';
import { RESYNC } from '@heliograph/contract';
import { createAdapter } from '@socket.io/redis-adapter';
import type { Redis } from 'ioredis';
import type { IncomingMessage, Server as HttpServer } from 'node:http';
import { Server, type Socket } from 'socket.io';
import { Config } from '../config.ts';
import { addressOf, networkOf } from '../http/visitor.ts';
import { Log } from '../log.ts';
import { channelName, openRedis, WAIT } from '../redis.ts';
import { ConnectionLimits } from './connection-limits.ts';
import { isOwnOrigin } from './handshake.ts';
import {
  dropUnreadableMessages,
  ignoreUnawaitedErrors,
  ignoreUpgradeErrors,
} from './safe-listeners.ts';

/** Clients send only their token. */
const MAX_PACKET_BYTES = 10_000;
/** Unauthenticated connections are closed after this time. Longer than a session lookup may take. */
const CONNECT_TIMEOUT_MS = 15_000;

/** socket.io on the port of the API, with the Redis adapter, so that every process reaches all sockets. */
export class SocketAdapter extends IoAdapter {
  private readonly http: HttpServer;
  private readonly config: Config;
  private readonly log: Log;
  private readonly limits: ConnectionLimits;
  private readonly connections: Redis[] = [];

  constructor(app: INestApplication) {
    super(app.getHttpServer());
    this.http = app.getHttpServer() as HttpServer;
    this.config = app.get(Config);
    this.log = app.get(Log);
    this.limits = app.get(ConnectionLimits);
  }

  override createIOServer(): Server {
    const { config, limits } = this;
    const [pub, sub] = [this.connect(), this.connect()];
    ignoreUpgradeErrors(this.http);
    const networkOfRequest = (request: IncomingMessage) =>
      networkOf(addressOf(request, config.TRUST_PROXY));
    const server = new Server(this.http, {
      serveClient: false,
      perMessageDeflate: false,
      maxHttpBufferSize: MAX_PACKET_BYTES,
      connectTimeout: CONNECT_TIMEOUT_MS,
      allowRequest: (request, decide) =>
        decide(
          null,
          isOwnOrigin(request, config.publicUrl) && limits.mayOpen(networkOfRequest(request)),
        ),
      adapter: createAdapter(pub, sub, { key: channelName(config, pub, 'socket.io') }),
    });
    server.engine.on('headers', (headers: Record<string, string>) => {
      headers['x-content-type-options'] = 'nosniff';
    });
    server.engine.on('connection', (connection: Socket['conn']) =>
      limits.opened(networkOfRequest(connection.request), connection),
    );
    dropUnreadableMessages(sub, this.log);
    resyncAfterGaps(sub, server);
    return server;
  }

  /** Leaves the HTTP server open; Nest closes it. */
  override async close(server: Server): Promise<void> {
    // The transports, not the sockets: a client that its server disconnects does not connect again by itself.
    server.engine.close();
  }

  override async dispose(): Promise<void> {
    for (const redis of this.connections) redis.disconnect();
  }

  private connect(): Redis {
    const redis = openRedis(this.config, this.log, WAIT);
    ignoreUnawaitedErrors(redis);
    this.connections.push(redis);
    return redis;
  }
}

/**
 * Events published while this process was disconnected from Redis are lost, so it sends `resync` to its sockets. The ping is
 * answered after the subscriptions sent before it, so no event is lost between the refetch and the first event.
 */
function resyncAfterGaps(sub: Redis, server: Server): void {
  sub.on('ready', () => {
    sub.ping().then(
      () => server.local.emit(RESYNC),
      () => undefined,
    );
  });
}
