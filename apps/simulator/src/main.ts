import type { AddressInfo } from 'node:net';

import { Carrier } from './carrier.ts';
import { runCli } from './cli.ts';
import { readConfig } from './config.ts';
import { serve } from './server.ts';

const config = readConfig(process.env);
const words = process.argv.slice(2);

if (words.length > 0) {
  process.exitCode = await runCli(`http://${config.host}:${config.port}`, words);
} else {
  const carrier = new Carrier(config);
  const server = serve(carrier, config.secret);
  const stop = () => {
    server.close(() => {
      carrier.stop();
      // Posts in progress are not awaited: they are repeated after a restart.
      process.exit();
    });
    setTimeout(() => server.closeAllConnections(), 1_000).unref();
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  server.listen(config.port, config.host, () => {
    const { address, port } = server.address() as AddressInfo;
    console.log(`simulated carrier on http://${address}:${port}, log ${config.logFile}`);
    carrier.start();
  });
}
