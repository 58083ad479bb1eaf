import { connect, createWorker } from './app.ts';
import { loadConfig } from './core/config.ts';
import { createLog } from './core/log.ts';

const config = loadConfig();
const log = createLog(config.LOG_LEVEL, 'worker');
await createWorker({ config, log, dataSource: await connect(config) });
log.info('the worker works');
