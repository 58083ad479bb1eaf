import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { createServer, type Server } from 'node:http';
import { Config } from '../config.ts';
import { Log } from '../log.ts';
import { metricsEndpoint } from './endpoint.ts';
import { Metrics } from './metrics.ts';

/** A worker has no other port: METRICS_PORT gives it one for its figures. */
@Injectable()
export class WorkerMetrics implements OnApplicationBootstrap, OnApplicationShutdown {
  private server?: Server;

  constructor(
    private readonly config: Config,
    private readonly metrics: Metrics,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    const { METRICS_PORT, METRICS_TOKEN, HOST } = this.config;
    if (METRICS_PORT === undefined) return;
    const answer = metricsEndpoint(this.metrics, METRICS_TOKEN);
    this.server = createServer((request, response) => {
      if (request.url?.split('?')[0] === '/metrics')
        answer(request, response).catch(() => response.destroy());
      else response.writeHead(404).end();
    });
    // Messages matter more than figures: a port that is taken stops no worker.
    this.server.on('error', (error) => this.log.error({ err: error }, 'no port for the metrics'));
    this.server.listen(METRICS_PORT, HOST);
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }
}
