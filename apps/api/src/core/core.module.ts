import { Global, Module, type DynamicModule, type Provider } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, DiscoveryModule } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { Authenticator } from './auth/authenticator.ts';
import { Owners } from './auth/owners.ts';
import { SessionKey } from './auth/session-key.ts';
import { Clock } from './clock.ts';
import { Config } from './config.ts';
import { Db } from './db/db.ts';
import { Events } from './events/events.ts';
import { Rooms } from './events/rooms.ts';
import { Sockets } from './events/sockets.ts';
import { Files } from './files/files.ts';
import { EndpointGuard } from './http/endpoint.guard.ts';
import { ErrorFilter } from './http/error-filter.ts';
import { HealthController } from './http/health.controller.ts';
import { Idempotency } from './http/idempotency.ts';
import { ResponseCheck } from './http/response-check.ts';
import { Jobs } from './jobs/queue.ts';
import { JobRunner } from './jobs/runner.ts';
import { Sweeper } from './jobs/sweeper.ts';
import { Log } from './log.ts';
import { Mailer } from './mail/mailer.ts';
import { Metrics } from './metrics/metrics.ts';
import { WorkerMetrics } from './metrics/worker-metrics.ts';
import { Notifications } from './notifications.ts';
import { RateLimits } from './rate-limits.ts';

const HTTP: Provider[] = [
  Sockets,
  { provide: APP_FILTER, useClass: ErrorFilter },
  { provide: APP_GUARD, useClass: EndpointGuard },
  { provide: APP_INTERCEPTOR, useClass: ResponseCheck },
  { provide: APP_INTERCEPTOR, useClass: Idempotency },
];

/** The technical ground, the same under the API and the worker. */
@Global()
@Module({})
export class CoreModule {
  static with(parts: {
    config: Config;
    log: Log;
    dataSource: DataSource;
    clock: Clock;
    house: 'api' | 'worker';
  }): DynamicModule {
    const shared: Provider[] = [
      { provide: Config, useValue: parts.config },
      { provide: Log, useValue: parts.log },
      { provide: DataSource, useValue: parts.dataSource },
      Authenticator,
      { provide: Clock, useValue: parts.clock },
      Db,
      Events,
      Files,
      Jobs,
      Mailer,
      Metrics,
      Notifications,
      Owners,
      RateLimits,
      Rooms,
      SessionKey,
    ];
    return {
      module: CoreModule,
      imports: [DiscoveryModule],
      controllers: parts.house === 'api' ? [HealthController] : [],
      providers: [
        ...shared,
        ...(parts.house === 'api' ? HTTP : [JobRunner, Sweeper, WorkerMetrics]),
      ],
      exports: shared,
    };
  }
}
