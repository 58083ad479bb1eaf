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

/** Serves the metrics of a worker on METRICS_PORT; a worker has no other port. */
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
    const respond = metricsEndpoint(this.metrics, METRICS_TOKEN);
    this.server = createServer((request, response) => {
      if (request.url?.split('?')[0] === '/metrics')
        respond(request, response).catch(() => response.destroy());
      else response.writeHead(404).end();
    });
    // A worker runs without metrics if the port is in use.
    this.server.on('error', (error) =>
      this.log.error({ err: error }, 'failed to listen on METRICS_PORT'),
    );
    this.server.listen(METRICS_PORT, HOST);
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }
}
