import {
  Module,
  type DynamicModule,
  type INestApplication,
  type INestApplicationContext,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Response } from 'express';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import qs from 'qs';
import type { DataSource } from 'typeorm';
import { SocketAdapter } from './core/events/socket-adapter.ts';
import { Clock } from './core/clock.ts';
import type { Config } from './core/config.ts';
import { CoreModule } from './core/core.module.ts';
import { createDataSource } from './core/db/data-source.ts';
import { respondToParseErrors } from './core/http/parse-errors.ts';
import type { AppRequest } from './core/http/endpoint.ts';
import { requestLog } from './core/http/middleware.ts';
import { fairTurns } from './core/http/fair-turns.ts';
import { answerOptions } from './core/http/methods.ts';
import { createDocument, Documents, serveDocuments } from './core/http/document.ts';
import { RequestRates } from './core/http/request-rates.ts';
import { staticFiles } from './core/http/static-files.ts';
import { corsOf, noStore, openToPages, securityHeaders } from './core/http/security-headers.ts';
import { otpWidget } from './core/http/otp-widget.ts';
import { metricsEndpoint } from './core/metrics/endpoint.ts';
import { Metrics } from './core/metrics/metrics.ts';
import { ProcessReports } from './core/process-reports.ts';
import type { ProcessName } from './core/process-kind.ts';
import { nestLog, type Log } from './core/log.ts';
import { VERSION } from './core/version.ts';
import { apiDocuments, documentation } from './features/documentation/documentation.ts';
import { GeneratedTexts } from './features/documentation/generated-texts.ts';
import { CompatibleApis } from './features/compatible/compatible-apis.ts';
import { returnPages } from './features/payments/return-pages.ts';
import { BOT_PATH, BotHost } from './features/channels/bot-host.service.ts';
import { MAX_BOT_PATH, MaxHost } from './features/channels/max-host.service.ts';
import { TelegramHost } from './features/notifications/telegram/telegram-host.service.ts';
import { SandboxHost } from './features/payments/sandbox-host.service.ts';
import { GatewayHost } from './features/wapi/gateway-host.service.ts';
import { GATEWAY_PATH } from './features/wapi/gateways.service.ts';
import { Redirects } from './features/links/redirects.ts';
import { OpenImage } from './features/sendings/opens/open-image.ts';
import { SignupPage } from './features/signup-forms/signup-page.ts';
import { UnsubscribePage } from './features/suppressions/unsubscribe-page.ts';
import { BrandsService } from './features/brands/brands.service.ts';
import { IdentityProvidersService } from './features/identity-providers/identity-providers.service.ts';
import { SetupService } from './features/users/setup.service.ts';
import { frontendOf } from './features/settings/brands.ts';
import { renderCabinetPage } from './features/settings/cabinet-page.ts';
import { ENTITIES, FEATURES } from './features.ts';

/** Open to pages of all origins: docs/decisions/043-one-time-codes.md. */
const OTP_PATH = '/api/n/otp-handler';

/**
 * How long a connection may be idle. Proxies keep theirs for less (nginx and load balancers of clouds 60 s, Caddy 120 s), so that they
 * close first: a request that meets a connection which is being closed has no answer.
 */
const IDLE_MS = 125_000;

@Module({})
class AppModule {}

export interface AppDependencies {
  config: Config;
  log: Log;
  dataSource: DataSource;
  clock?: Clock;
}

/** The database connection of a process. Statements have a short timeout, those of jobs a long one. */
export async function connect(config: Config, kind: ProcessName): Promise<DataSource> {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_POOL, LEASE_SECONDS } = config;
  const seconds = kind === 'worker' ? config.DATABASE_JOB_SECONDS : config.DATABASE_READ_SECONDS;
  const settings = {
    // A plan that was prepared while a table was small would scan the whole table for the life of its connection
    // (docs/decisions/010-plans-go-by-index.md).
    enable_seqscan: 'off',
    // Releases the locks of a stalled process together with its leases.
    idle_in_transaction_session_timeout: `${LEASE_SECONDS}s`,
    statement_timeout: `${seconds}s`,
  };
  const isPooled = DATABASE_DIRECT_URL !== undefined;
  return createDataSource(DATABASE_URL, ENTITIES, DATABASE_POOL, settings, isPooled).initialize();
}

function rootModule(dependencies: AppDependencies, kind: ProcessName): DynamicModule {
  return {
    module: AppModule,
    imports: [CoreModule.with({ clock: new Clock(), ...dependencies, process: kind }), ...FEATURES],
  };
}

/** REST, sockets and the built cabinet on one port. */
export async function createApi(dependencies: AppDependencies): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(rootModule(dependencies, 'api'), {
    logger: nestLog(dependencies.log),
    bodyParser: false,
    forceCloseConnections: true,
  });
  app.setGlobalPrefix('api');
  app.set('trust proxy', dependencies.config.TRUST_PROXY);
  // The default parser turns arrays with more than 20 items into objects.
  app.set('query parser', (text: string) =>
    qs.parse(text, { arrayLimit: 1000, depth: 3, parameterLimit: 3000 }),
  );
  app.disable('x-powered-by');
  // API responses are never cached, so no client revalidates them.
  app.disable('etag');
  const metrics = app.get(Metrics);
  app.use(
    requestLog(dependencies.log, metrics, app.get(ProcessReports)),
    ...securityHeaders(dependencies.config),
  );
  if (dependencies.config.CORS_ORIGINS) app.enableCors(corsOf(dependencies.config.CORS_ORIGINS));
  app.use(OTP_PATH, openToPages);
  app.use('/api', noStore, fairTurns(dependencies.config.TRUST_PROXY));
  app.use(answerOptions);
  app.use('/metrics', metricsEndpoint(metrics, dependencies.config.METRICS_TOKEN));
  app.use('/s', app.get(Redirects, { strict: false }).handle);
  app.use('/o', app.get(OpenImage, { strict: false }).handle);
  app.use('/f', app.get(SignupPage, { strict: false }).handle);
  app.use('/u', app.get(UnsubscribePage, { strict: false }).handle);
  app.use('/api/payments/webhook', returnPages);
  const compatible = app.get(CompatibleApis, { strict: false });
  const { TRUST_PROXY } = dependencies.config;
  app.use(compatible.paths, noStore, fairTurns(TRUST_PROXY), compatible.handle);
  app.use(BOT_PATH, app.get(BotHost, { strict: false }).handle);
  app.use(MAX_BOT_PATH, app.get(MaxHost, { strict: false }).handle);
  app.use('/sandbox/telegram', app.get(TelegramHost, { strict: false }).handle);
  app.use('/sandbox', app.get(SandboxHost, { strict: false }).handle);
  app.use(GATEWAY_PATH, app.get(GatewayHost, { strict: false }).handle);
  const rates = app.get(RequestRates, { strict: false });
  const texts = new GeneratedTexts(dependencies.config);
  app.use('/api', apiDocuments(texts, rates));
  // Open tabs poll it to detect a new version.
  app.use('/version.json', (_request: unknown, response: Response) =>
    response.set('cache-control', 'no-cache').json({ version: VERSION }),
  );
  app.use('/docs', documentation(dependencies.config, texts, rates));
  app.use('/otp', otpWidget(dependencies.config.WIDGET_DIR, rates));
  serveCabinet(app, dependencies.config, rates);
  app.useWebSocketAdapter(new SocketAdapter(app));
  await app.init();
  const server = app.getHttpServer() as Server;
  server.keepAliveTimeout = IDLE_MS;
  respondToParseErrors(server, dependencies.config);
  return app;
}

/** The services of the API without its port, for commands and the SMPP server. */
export function createContext(dependencies: AppDependencies): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(rootModule(dependencies, 'program'), {
    logger: nestLog(dependencies.log),
  });
}

/** Jobs and sweeps. */
export async function createWorker(
  dependencies: AppDependencies,
): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(rootModule(dependencies, 'worker'), {
    logger: nestLog(dependencies.log),
  });
}

const isApi = (path: string): boolean => /^\/(api|socket\.io)(\/|$)/.test(path);

function serveCabinet(app: INestApplication, config: Config, rates: RequestRates): void {
  const folder = config.CABINET_DIR;
  if (!existsSync(folder)) return;
  const documents = new Documents();
  const rendered = (file: string, type: string, render: (text: string) => string, key = file) =>
    documents.get(key, async () =>
      createDocument(render(await readFile(join(folder, file), 'utf8')), {
        'content-type': `${type}; charset=utf-8`,
      }),
    );
  app.use(
    '/service-worker.js',
    serveDocuments(rates, () =>
      rendered('service-worker.js', 'text/javascript', (text) =>
        text.replace('__VERSION__', VERSION),
      ),
    ),
  );
  const files = staticFiles(folder, {
    rates,
    setHeaders: (response: Response, path: string) => {
      response.set(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
    },
  });
  // A call of the API is no file, and to look for one would cost it a system call.
  app.use((request: AppRequest, response: Response, next: () => void) =>
    isApi(request.path) ? next() : files(request, response, next),
  );
  const providers = app.get(IdentityProvidersService, { strict: false });
  const brands = app.get(BrandsService, { strict: false });
  const setup = app.get(SetupService, { strict: false });
  app.use(
    serveDocuments(rates, async (request) => {
      if (isApi(request.path) || !request.accepts('html')) return undefined;
      // The page is there without a database, too.
      const identityProviders = await providers.areOffered().catch(() => false);
      const isNew = await setup.isOpen().catch(() => false);
      const ofHost = await brands.ofHost(request.headers.host).catch(() => null);
      const brand = ofHost ?? brands.installation;
      const frontend = frontendOf(config, {
        brand,
        identityProviders,
        isNew,
        isElsewhere: !!ofHost,
      });
      return rendered(
        'index.html',
        'text/html',
        (html) => renderCabinetPage(html, frontend),
        `index.html ${JSON.stringify(frontend)}`,
      );
    }),
  );
}
