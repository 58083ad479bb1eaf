import { Global, Module, type DynamicModule, type Provider } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, DiscoveryModule } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { AuditTrail } from './audit/audit-trail.ts';
import { Audit } from './audit/audit.ts';
import { Refusals } from './audit/refusals.ts';
import { ActingTokens } from './auth/acting-tokens.ts';
import { ActingUsers } from './auth/acting-users.ts';
import { ApiTokens } from './auth/api-tokens.ts';
import { ApiTokensStore } from './auth/api-tokens.store.ts';
import { Authenticator } from './auth/authenticator.ts';
import { GeneratedSecrets } from './auth/generated-secrets.ts';
import { Owners } from './auth/owners.ts';
import { PasswordPolicy } from './auth/password-policy.ts';
import { SecretBox } from './auth/secret-box.ts';
import { SessionKey } from './auth/session-key.ts';
import { SessionUse } from './auth/session-use.ts';
import { SessionGuard } from './auth/session.guard.ts';
import { SessionStrategy } from './auth/session.strategy.ts';
import { TokenUses } from './auth/token-uses.ts';
import { Clock } from './clock.ts';
import { Config } from './config.ts';
import { Db } from './db/db.ts';
import { Replica } from './db/replica.ts';
import { TimeZonesStore } from './db/time-zones.store.ts';
import { ConnectionLimits } from './events/connection-limits.ts';
import { Events } from './events/events.ts';
import { Rooms } from './events/rooms.ts';
import { Sockets } from './events/sockets.ts';
import { Wakeups } from './events/wakeups.ts';
import { createFiles } from './files/create-files.ts';
import { Files } from './files/files.ts';
import { Signers } from './http/signers.ts';
import { Concurrency } from './http/concurrency.ts';
import { Health } from './health.ts';
import { EndpointGuard } from './http/endpoint.guard.ts';
import { HttpDrain } from './http/drain.ts';
import { ErrorFilter } from './http/error-filter.ts';
import { HealthController } from './http/health.controller.ts';
import { IdempotencyKeysStore } from './http/idempotency-keys.store.ts';
import { Idempotency } from './http/idempotency.ts';
import { LongPolls } from './http/long-polls.ts';
import { RequestRates } from './http/request-rates.ts';
import { ResponseCheck } from './http/response-check.ts';
import { DueRows } from './jobs/due-rows.ts';
import { FailedJobs } from './jobs/failed-jobs.ts';
import { FailedJobsStore } from './jobs/failed-jobs.store.ts';
import { Jobs } from './jobs/queue.ts';
import { JobRunner } from './jobs/runner.ts';
import { Sweeper } from './jobs/sweeper.ts';
import { InstallationSettings } from './installation-settings.ts';
import { KeyedEffects } from './keyed-effects.ts';
import { Log } from './log.ts';
import { DueEmails } from './mail/due-emails.ts';
import { DueEmailsStore } from './mail/due-emails.store.ts';
import { EmailLocalesStore } from './mail/email-locales.store.ts';
import { Mailer } from './mail/mailer.ts';
import { Metrics } from './metrics/metrics.ts';
import { WorkerMetrics } from './metrics/worker-metrics.ts';
import { Notifications } from './notifications.ts';
import { Outbox } from './outbox.ts';
import { OutboxStore } from './outbox.store.ts';
import { Quotas } from './quotas.ts';
import { RateLimits } from './rate-limits.ts';
import { SharedCounters } from './shared-counters.ts';
import { ProcessKind, type ProcessName } from './process-kind.ts';
import { ProcessReports } from './process-reports.ts';
import { Retention } from './retention.ts';
import { Shutdown } from './shutdown.ts';
import { Slices } from './slices.ts';

const HTTP: Provider[] = [
  Health,
  HttpDrain,
  ConnectionLimits,
  IdempotencyKeysStore,
  Sockets,
  { provide: APP_FILTER, useExisting: ErrorFilter },
  { provide: APP_GUARD, useClass: EndpointGuard },
  { provide: APP_INTERCEPTOR, useExisting: ResponseCheck },
  { provide: APP_INTERCEPTOR, useExisting: Concurrency },
  { provide: APP_INTERCEPTOR, useClass: Idempotency },
  // Innermost, so that records are part of the idempotency transaction and a replay is not recorded again.
  { provide: APP_INTERCEPTOR, useClass: AuditTrail },
];

const PROVIDERS: Record<ProcessName, Provider[]> = {
  api: HTTP,
  program: [],
  worker: [FailedJobs, JobRunner, Sweeper, WorkerMetrics],
};

/** The providers of `core`, shared by all features. */
@Global()
@Module({})
export class CoreModule {
  static with(dependencies: {
    config: Config;
    log: Log;
    dataSource: DataSource;
    clock: Clock;
    process: ProcessName;
  }): DynamicModule {
    const shared: Provider[] = [
      { provide: Config, useValue: dependencies.config },
      { provide: Log, useValue: dependencies.log },
      { provide: DataSource, useValue: dependencies.dataSource },
      Audit,
      ActingTokens,
      ActingUsers,
      ApiTokens,
      ApiTokensStore,
      Authenticator,
      Signers,
      { provide: Clock, useValue: dependencies.clock },
      {
        provide: Db,
        useFactory: () => {
          const { dataSource, config, process } = dependencies;
          return new Db(
            dataSource,
            process !== 'worker' ? config.DATABASE_WRITE_SECONDS : undefined,
          );
        },
      },
      Concurrency,
      DueEmails,
      DueEmailsStore,
      DueRows,
      Events,
      FailedJobsStore,
      { provide: Files, useFactory: () => createFiles(dependencies.config) },
      GeneratedSecrets,
      InstallationSettings,
      Jobs,
      KeyedEffects,
      EmailLocalesStore,
      ErrorFilter,
      LongPolls,
      Mailer,
      Metrics,
      Notifications,
      Outbox,
      OutboxStore,
      Owners,
      PasswordPolicy,
      { provide: ProcessKind, useValue: new ProcessKind(dependencies.process) },
      ProcessReports,
      Quotas,
      RateLimits,
      Replica,
      RequestRates,
      Refusals,
      ResponseCheck,
      Retention,
      Rooms,
      SecretBox,
      SessionGuard,
      SessionKey,
      SessionStrategy,
      SessionUse,
      SharedCounters,
      Shutdown,
      Slices,
      TimeZonesStore,
      TokenUses,
      Wakeups,
    ];
    return {
      module: CoreModule,
      imports: [
        DiscoveryModule,
        PassportModule.register({ defaultStrategy: `session-${randomUUID()}` }),
      ],
      controllers: dependencies.process === 'api' ? [HealthController] : [],
      providers: [...shared, ...PROVIDERS[dependencies.process]],
      exports: shared,
    };
  }
}
