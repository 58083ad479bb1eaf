import { connect, createContext } from './app.ts';
import { exitUnusable, loadConfigOrExit } from './core/config.ts';
import { exitWithoutDatabase } from './core/db/database-problem.ts';
import { Db } from './core/db/db.ts';
import { keepHeartbeat } from './core/heartbeat.ts';
import { InstallationSettings } from './core/installation-settings.ts';
import { createLog } from './core/log.ts';
import { Metrics } from './core/metrics/metrics.ts';
import { handleProcessErrors } from './core/process-errors.ts';
import { ProcessReports } from './core/process-reports.ts';
import { createClose, CLOSING_SECONDS, stopOnSignals } from './core/signals.ts';
import { BUILD, VERSION } from './core/version.ts';
import { SmppServer } from './features/smpp/smpp-server.service.ts';

const config = loadConfigOrExit();
if (config.SMPP_PORT === undefined && config.SMPP_TLS_PORT === undefined)
  exitUnusable('The SMPP server needs SMPP_PORT or SMPP_TLS_PORT.');
const log = createLog(config.LOG_LEVEL, 'smpp');
const dataSource = await connect(config, 'program').catch(exitWithoutDatabase);
const app = await createContext({ config, log, dataSource });
const limitSeconds = config.SHUTDOWN_GRACE_SECONDS + CLOSING_SECONDS;
const shutdown = { log, close: createClose(app, dataSource), limitSeconds };
handleProcessErrors(shutdown, app.get(Metrics));
stopOnSignals(shutdown);
const ports = await app.get(SmppServer, { strict: false }).listen();
if (config.HEARTBEAT_FILE) keepHeartbeat(config.HEARTBEAT_FILE, app.get(Db), log);
app.get(InstallationSettings).start();
app.get(ProcessReports).start('smpp');
log.info({ host: config.HOST, ...ports, version: VERSION, build: BUILD }, 'SMPP server listening');
