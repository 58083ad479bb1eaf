// `npm start`: from a bare checkout to a running Heliograph. Runs on Node 20 and needs nothing installed.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './lib/build.mjs';
import { onSignals, readPidFile, stopRuns, writePidFile } from './lib/processes.mjs';
import { Trouble, dataDir, main, say } from './lib/project.mjs';
import { bootstrap, toolEnv } from './lib/runtime.mjs';
import {
  address,
  choosePort,
  cli,
  entry,
  keepRunning,
  ownMachine,
  simulatedSmsc,
  simulatedSmtp,
  simulatedTelegram,
  smppPort,
  stopFormerRun,
  waitForHealth,
} from './lib/server.mjs';
import { workerFlags } from './lib/worker-flags.mjs';
import { services } from './services.mjs';

const launcherFile = join(dataDir, 'run/launcher.json');
const undo = []; // what has to be stopped, in the order it was started
let stopping = false;
let insist = () => {};

let stopped = Promise.resolve();

/** One thing after the other, also when the signal and the end of the run both ask: the database outlives its users. */
function stopAll() {
  const rest = async () => {
    while (undo.length > 0) await undo.pop()();
  };
  return (stopped = stopped.then(rest, rest));
}

/** Migrations and seeds are skipped when this build has prepared this very database before. */
async function prepare(node, env, own, stamp, withDemo) {
  const mark = own.postgres && join(own.postgres.home, 'prepared');
  const done = `${stamp} ${withDemo}`;
  if (mark && existsSync(mark) && readFileSync(mark, 'utf8') === done) return;
  for (const step of ['migrate', 'seed', ...(withDemo ? ['demo'] : [])]) {
    if (stopping) return;
    say(
      {
        migrate: 'Migrating the database ...',
        seed: 'Loading the base data ...',
        demo: 'Loading the demo world ...',
      }[step],
    );
    await cli(node, step, env);
  }
  if (mark) writeFileSync(mark, done);
}

function printReady(url, withDemo, isExposed) {
  say(`\nHeliograph is ready: ${url}`);
  const password = isExposed
    ? 'Their passwords were shown when the demo world was loaded.'
    : 'Password: heliograph, unless others were shown when the demo world was loaded.';
  if (withDemo) say(`Demo accounts: customer, customer2, reseller, manager. ${password}`);
}

async function start() {
  const former = readPidFile(launcherFile);
  if (former)
    throw new Trouble(
      `Heliograph already runs from this folder (process ${former.pid}${former.url ? `, ${former.url}` : ''}).`,
    );
  writePidFile(launcherFile, process.pid);
  undo.push(async () => rmSync(launcherFile, { force: true }));

  const node = await bootstrap();
  const { host, isExposed, shown } = address();
  const withDemo = process.env.DEMO ? ['1', 'true'].includes(process.env.DEMO) : !isExposed;
  await stopFormerRun();
  const port = await choosePort(host);
  if (stopping) return;

  const [{ env: addresses, own }, stamp] = await settled([services(), build(node)]);
  if (stopping) return;
  const url = `http://${shown}:${port}`;
  const smpp = await smppPort(host, withDemo);
  const env = toolEnv(node, {
    NODE_ENV: process.env.NODE_ENV || 'production',
    LOG_LEVEL: process.env.LOG_LEVEL || 'warn',
    ...(withDemo
      ? {
          DEMO: '1',
          CHANNEL_ALLOWED_HOSTS: process.env.CHANNEL_ALLOWED_HOSTS ?? ownMachine,
          SIMULATED_SMSC: process.env.SIMULATED_SMSC ?? simulatedSmsc,
          SIMULATED_SMTP: process.env.SIMULATED_SMTP ?? simulatedSmtp,
          SIMULATED_TELEGRAM: process.env.SIMULATED_TELEGRAM ?? simulatedTelegram(port),
        }
      : {}),
    ...addresses,
    HOST: host,
    PORT: String(port),
    ...(smpp && { SMPP_PORT: smpp }),
    PUBLIC_URL: process.env.PUBLIC_URL || url,
  });
  await prepare(node, env, own, stamp, withDemo);
  if (stopping) return;

  const running = [keepRunning('api', node, [entry('main')], env)];
  // The worker first: it calls the simulated services of the API.
  undo.push(async () => {
    for (const one of running.toReversed()) await one.stop();
  });
  insist = () => running.forEach((one) => one.insist());
  await waitForHealth(url, running[0], () => stopping);
  if (stopping) return;
  // After the API, which serves the simulated services that a worker calls in the demo world.
  running.push(keepRunning('worker', node, [...workerFlags, entry('worker')], env));
  if (env.SMPP_PORT || env.SMPP_TLS_PORT)
    running.push(keepRunning('smpp', node, [entry('smpp')], env));
  writePidFile(launcherFile, process.pid, { url });
  printReady(url, withDemo, isExposed);
  // The address at which the first administrator is created, while there is none.
  if (!withDemo) await cli(node, 'setup-link', env);
  say('Stop it with Ctrl-C.');
  watchServices(own);
  await new Promise((resolve) => undo.push(async () => resolve()));
}

/** Both run to their end, so that what one of them started can be stopped when the other failed. */
async function settled([starting, building]) {
  const results = await Promise.allSettled([starting, building]);
  if (results[0].status === 'fulfilled') undo.push(results[0].value.stop);
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
  return results.map(({ value }) => value);
}

/** Without its database nothing works; an end with a word is better than a process that answers 503 for ever. */
function watchServices(own) {
  for (const [name, service] of Object.entries(own)) {
    service.exited.then(() => {
      if (stopping) return;
      console.error(
        `${name} ended unexpectedly; its log is ${join(dataDir, name, `${name}.log`)}. Stopping.`,
      );
      process.exitCode = 1;
      process.kill(process.pid, 'SIGTERM');
    });
  }
}

await main(async () => {
  onSignals(
    () => {
      stopping = true;
      say('\nStopping ...');
      void stopRuns();
      void stopAll();
    },
    () => insist(),
  );
  try {
    await start();
  } catch (error) {
    if (!stopping) throw error; // a step that was cut short by the stop is no failure
  } finally {
    stopping = true;
    await stopAll();
  }
  return process.exitCode;
});
