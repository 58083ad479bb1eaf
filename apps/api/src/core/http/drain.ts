import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Server, type IncomingMessage, type ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep, setImmediate as nextTurn } from 'node:timers/promises';
import { Config } from '../config.ts';
import { Sockets } from '../events/sockets.ts';
import { Log } from '../log.ts';
import { Shutdown } from '../shutdown.ts';

const CHECK_MS = 100;
const ACCEPT_MS = 500;
const SHORT_TURN_MS = 0.5;

/**
 * Graceful shutdown of the API, before anything else is closed: readiness fails, no new connections are accepted, every
 * response closes its connection, sockets are disconnected, and running requests finish within the grace period.
 */
@Injectable()
export class HttpDrain implements OnApplicationBootstrap, OnModuleDestroy {
  private server: Server;
  private readonly active = new Set<ServerResponse>();

  constructor(
    private readonly http: HttpAdapterHost,
    private readonly config: Config,
    private readonly log: Log,
    private readonly shutdown: Shutdown,
    private readonly sockets: Sockets,
  ) {}

  onApplicationBootstrap(): void {
    this.server = this.http.httpAdapter.getHttpServer() as Server;
    this.server.prependListener(
      'request',
      (_request: IncomingMessage, response: ServerResponse) => {
        if (this.shutdown.isStopping) return closeAfter(response);
        this.active.add(response);
        response.once('close', () => this.active.delete(response));
      },
    );
  }

  async onModuleDestroy(): Promise<void> {
    this.shutdown.begin();
    if (!this.shutdown.isGraceful) return;
    for (const response of this.active) closeAfter(response);
    const { SHUTDOWN_DELAY_SECONDS, SHUTDOWN_GRACE_SECONDS } = this.config;
    await sleep(SHUTDOWN_DELAY_SECONDS * 1000);
    const deadline = Date.now() + SHUTDOWN_GRACE_SECONDS * 1000;
    let isClosed = false;
    await allAccepted(this.server);
    stopListening(this.server, () => (isClosed = true));
    while (!isClosed && Date.now() < deadline) {
      this.sockets.disconnect();
      await sleep(CHECK_MS);
    }
    if (this.active.size)
      this.log.warn({ requests: this.active.size }, 'grace period exceeded; aborting requests');
  }
}

/**
 * Connections in the accept queue are reset when the port closes. Node accepts one connection per turn of the event loop,
 * so this resolves after a short turn without a new connection.
 */
async function allAccepted(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => accepted++;
  server.on('connection', count);
  for (const deadline = performance.now() + ACCEPT_MS; performance.now() < deadline;) {
    const [before, since] = [accepted, performance.now()];
    await nextTurn();
    if (accepted === before && performance.now() - since < SHORT_TURN_MS) break;
  }
  server.off('connection', count);
}

/**
 * Unlike `http.Server.close` this keeps idle connections until their keep-alive timeout. Closing them could abort a request
 * that the client is just sending.
 */
function stopListening(server: Server, onClosed: () => void): void {
  NetServer.prototype.close.call(server, onClosed);
}

function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
