import type { AddressInfo } from 'node:net';
import { connect, createApi } from './app.ts';
import { loadConfig } from './core/config.ts';
import { createLog } from './core/log.ts';

const config = loadConfig();
const log = createLog(config.LOG_LEVEL, 'api');
const app = await createApi({ config, log, dataSource: await connect(config) });
await app.listen(config.PORT, config.HOST);
const { port } = app.getHttpServer().address() as AddressInfo;
log.info({ host: config.HOST, port }, 'the API listens');
