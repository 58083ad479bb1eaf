import { connect, createWorker } from './app.ts';
import { loadConfigOrExit } from './core/config.ts';
import { DatabaseClock } from './core/db/database-clock.ts';
import { exitWithoutDatabase } from './core/db/database-problem.ts';
import { Db } from './core/db/db.ts';
import { keepHeartbeat } from './core/heartbeat.ts';
import { InstallationSettings } from './core/installation-settings.ts';
import { createLog } from './core/log.ts';
import { Metrics } from './core/metrics/metrics.ts';
import { handleProcessErrors } from './core/process-errors.ts';
import { ProcessReports } from './core/process-reports.ts';
import { BUILD, VERSION } from './core/version.ts';
import { createClose, CLOSING_SECONDS, stopOnSignals } from './core/signals.ts';

const config = loadConfigOrExit();
const log = createLog(config.LOG_LEVEL, 'worker');
const dataSource = await connect(config, 'worker').catch(exitWithoutDatabase);
const time = await DatabaseClock.start(dataSource, log);
const app = await createWorker({ config, log, dataSource });
// A batch that is being submitted is finished first, which takes no longer than its lease.
const limitSeconds = config.LEASE_SECONDS + CLOSING_SECONDS;
const shutdown = { log, close: createClose(app, dataSource, time), limitSeconds };
handleProcessErrors(shutdown, app.get(Metrics));
stopOnSignals(shutdown);
if (config.HEARTBEAT_FILE) keepHeartbeat(config.HEARTBEAT_FILE, app.get(Db), log);
app.get(InstallationSettings).start();
app.get(ProcessReports).start('worker');
log.info({ version: VERSION, build: BUILD }, 'worker started');
