import type { AddressInfo } from 'node:net';
import { connect, createApi } from './app.ts';
import { exitUnusable, loadConfigOrExit } from './core/config.ts';
import { DatabaseClock } from './core/db/database-clock.ts';
import { exitWithoutDatabase } from './core/db/database-problem.ts';
import { Db } from './core/db/db.ts';
import { exposedAddress } from './core/exposure.ts';
import { InstallationSettings } from './core/installation-settings.ts';
import { createLog } from './core/log.ts';
import { Metrics } from './core/metrics/metrics.ts';
import { handleProcessErrors } from './core/process-errors.ts';
import { ProcessReports } from './core/process-reports.ts';
import { demoPasswordProblem } from './demo.ts';
import { MailHost } from './features/channels/mail-host.service.ts';
import { SmscHost } from './features/channels/smsc-host.service.ts';
import { SetupService } from './features/users/setup.service.ts';
import { BUILD, VERSION } from './core/version.ts';
import { createClose, CLOSING_SECONDS, stopOnSignals } from './core/signals.ts';

const config = loadConfigOrExit();
const log = createLog(config.LOG_LEVEL, 'api');
const dataSource = await connect(config, 'api').catch(exitWithoutDatabase);
const time = await DatabaseClock.start(dataSource, log);
const problem = await demoPasswordProblem(new Db(dataSource), config);
if (problem) exitUnusable(problem);
if (exposedAddress(config) && !config.PUBLIC_URL)
  log.warn(
    { publicUrl: config.publicUrl },
    'PUBLIC_URL is not set; short links and e-mails use this address',
  );
const app = await createApi({ config, log, dataSource });
const { SHUTDOWN_DELAY_SECONDS, SHUTDOWN_GRACE_SECONDS } = config;
const limitSeconds = SHUTDOWN_DELAY_SECONDS + SHUTDOWN_GRACE_SECONDS + CLOSING_SECONDS;
const shutdown = { log, close: createClose(app, dataSource, time), limitSeconds };
handleProcessErrors(shutdown, app.get(Metrics));
stopOnSignals(shutdown);
await app.listen(config.PORT, config.HOST);
const { port } = app.getHttpServer().address() as AddressInfo;
await app.get(SmscHost, { strict: false }).start();
await app.get(MailHost, { strict: false }).start();
app.get(InstallationSettings).start();
app.get(ProcessReports).start('api');
log.info({ host: config.HOST, port, version: VERSION, build: BUILD }, 'API listening');
const setup = await app
  .get(SetupService, { strict: false })
  .link()
  .catch(() => null);
if (setup) log.info({ setup }, 'nobody administers this installation: open the address to begin');
