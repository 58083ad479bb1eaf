import { Smsc } from '@heliograph/simulators';

import { readSmscConfig } from './smsc-config.ts';

const { host, port, ...options } = readSmscConfig(process.env);
const smsc = new Smsc(options);
const bound = await smsc.listen(port, host);
console.log(`simulated SMSC on ${host}:${bound}, account ${options.systemId}`);

const stop = () => void smsc.close().then(() => process.exit());
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
