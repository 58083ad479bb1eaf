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
 * Ends an API without cutting off a request. It runs before anything else is closed: not ready, no new connections,
 * every answer closes its connection, sockets are told, and what was accepted is answered within the grace period.
 */
@Injectable()
export class HttpDrain implements OnApplicationBootstrap, OnModuleDestroy {
  private server: Server;
  private readonly answering = new Set<ServerResponse>();

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
        this.answering.add(response);
        response.once('close', () => this.answering.delete(response));
      },
    );
  }

  async onModuleDestroy(): Promise<void> {
    this.shutdown.begin();
    if (!this.shutdown.isGraceful) return;
    for (const response of this.answering) closeAfter(response);
    const { SHUTDOWN_DELAY_SECONDS, SHUTDOWN_GRACE_SECONDS } = this.config;
    await sleep(SHUTDOWN_DELAY_SECONDS * 1000);
    const until = Date.now() + SHUTDOWN_GRACE_SECONDS * 1000;
    let isClosed = false;
    await allAccepted(this.server);
    stopListening(this.server, () => (isClosed = true));
    while (!isClosed && Date.now() < until) {
      this.sockets.disconnect();
      await sleep(CHECK_MS);
    }
    if (this.answering.size)
      this.log.warn({ requests: this.answering.size }, 'requests are cut off: the grace is over');
  }
}

/**
 * A connection that waits to be accepted while the port closes is reset, and Node accepts one in each turn of its loop:
 * resolves after a turn without one, so short that none can wait.
 */
async function allAccepted(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => accepted++;
  server.on('connection', count);
  for (const until = performance.now() + ACCEPT_MS; performance.now() < until;) {
    const [before, since] = [accepted, performance.now()];
    await nextTurn();
    if (accepted === before && performance.now() - since < SHORT_TURN_MS) break;
  }
  server.off('connection', count);
}

/**
 * Unlike `http.Server.close` it leaves idle connections to their keep-alive timeout, which their clients know: a request
 * that is sent in the moment in which its connection is closed would be cut off.
 */
function stopListening(server: Server, onClosed: () => void): void {
  NetServer.prototype.close.call(server, onClosed);
}

function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
