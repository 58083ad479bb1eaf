// `npm run dev`: services, compiler, api and worker that start again on a change, and the cabinet on Vite's own server.
import { join } from 'node:path';
import { build } from './lib/build.mjs';
import { onSignals, readPidFile, run, stopRuns, writePidFile } from './lib/processes.mjs';
import { Trouble, dataDir, main, root, say } from './lib/project.mjs';
import { bootstrap, toolEnv } from './lib/runtime.mjs';
import {
  address,
  choosePort,
  cli,
  compiledEntry,
  ownMachine,
  simulatedSmsc,
  simulatedSmtp,
  simulatedTelegram,
  smppPort,
  stopFormerRun,
} from './lib/server.mjs';
import { services } from './services.mjs';

const launcherFile = join(dataDir, 'run/launcher.json');
let stopping = false;

await main(async () => {
  const former = readPidFile(launcherFile);
  if (former)
    throw new Trouble(`Heliograph already runs from this folder (process ${former.pid}).`);
  writePidFile(launcherFile, process.pid);
  onSignals(() => {
    stopping = true;
    void stopRuns();
  });
  const node = await bootstrap();
  await stopFormerRun();
  const { host, shown } = address();
  const port = await choosePort(host);
  const smpp = await smppPort(host, true);
  const { env: addresses, stop } = await services();
  try {
    await build(node, ['api', 'widget']);
    const env = toolEnv(node, {
      NODE_ENV: 'development',
      DEMO: process.env.DEMO || '1',
      CHANNEL_ALLOWED_HOSTS: process.env.CHANNEL_ALLOWED_HOSTS ?? ownMachine,
      SIMULATED_SMSC: process.env.SIMULATED_SMSC ?? simulatedSmsc,
      SIMULATED_SMTP: process.env.SIMULATED_SMTP ?? simulatedSmtp,
      SIMULATED_TELEGRAM: process.env.SIMULATED_TELEGRAM ?? simulatedTelegram(port),
      ...addresses,
      HOST: host,
      PORT: String(port),
      ...(smpp && { SMPP_PORT: smpp }),
      API_URL: `http://${shown}:${port}`,
    });
    for (const command of ['migrate', 'seed', 'demo']) if (!stopping) await cli(node, command, env);
    if (stopping) return;
    await Promise.race(watchers(node, env));
    if (!stopping) say('One of the watchers ended; stopping the others.');
  } catch (error) {
    if (!stopping) throw error;
  } finally {
    await stopRuns();
    await stop();
  }
});

function watchers(node, env) {
  const watch = (name) => [
    '--watch',
    '--watch-preserve-output',
    '--enable-source-maps',
    // As the compiler's own watch writes it: nothing is bundled in between.
    compiledEntry(name),
  ];
  const inApp = (app) => ({
    cwd: join(root, 'apps', app),
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const atRoot = { ...inApp('api'), cwd: root };
  return [
    run(join(root, 'node_modules/.bin/pnpm'), ['--silent', 'run', 'dev'], inApp('api')),
    run(node, watch('main'), atRoot),
    run(node, watch('worker'), atRoot),
    ...(env.SMPP_PORT ? [run(node, watch('smpp'), atRoot)] : []),
    run(join(root, 'apps/cabinet/node_modules/.bin/vite'), [], inApp('cabinet')),
  ];
}
