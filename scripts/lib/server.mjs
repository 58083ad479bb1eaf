import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Trouble, dataDir, root, say } from './project.mjs';
import { run, stopLeftovers, stopPid, writePidFile } from './processes.mjs';
import { isFree } from './ports.mjs';

export const entry = (name) => join(root, `apps/api/dist/apps/api/src/${name}.js`);
/** The same program as the compiler writes it, in a file for each source. */
export const compiledEntry = (name) => join(root, `apps/api/dist/compiled/apps/api/src/${name}.js`);
const runDir = join(dataDir, 'run');
const steadyAfter = 60_000;
/** A process that ends with this code says why, and would end so again (EX_CONFIG of sysexits.h). */
const REFUSED = 78;

/** Time limit of a shutdown: a lease for a worker, its grace for an API, and ten seconds more. */
function stopTimeoutMs(env) {
  const seconds = (name, otherwise) => Number(env[name] || otherwise);
  const api = seconds('SHUTDOWN_DELAY_SECONDS', 0) + seconds('SHUTDOWN_GRACE_SECONDS', 10);
  return (Math.max(api, seconds('LEASE_SECONDS', 20)) + 10) * 1000;
}

/** Ends processes of a former run that was killed. */
export const stopFormerRun = () => stopLeftovers(runDir, ['api', 'smpp', 'worker']);

/** What channels of a trial may reach: apps/simulator on this machine. */
export const ownMachine = '127.0.0.0/8, ::1';

/** Where the simulated SMSC of a trial listens. The port of SMPP is left to other programs. */
export const simulatedSmsc = 'smpp://127.0.0.1:2776';
export const simulatedSmtp = 'smtp://127.0.0.1:2526';
/** The same of the simulated messenger, which is on the port of the API. */
export const simulatedTelegram = (port) => `http://127.0.0.1:${port}/sandbox/telegram-bot`;

const isLoopback = (host) =>
  host === 'localhost' || host === '::1' || host === '[::1]' || host.startsWith('127.');

/** `isExposed` as apps/api/src/core/exposure.ts has it, which is not built yet when this is asked. */
export function address() {
  const host = process.env.HOST || '127.0.0.1';
  const published = process.env.PUBLIC_URL && new URL(process.env.PUBLIC_URL).hostname;
  const isExposed = ![host, published || host].every(isLoopback);
  const shown =
    host === '0.0.0.0'
      ? '127.0.0.1'
      : host === '::'
        ? '[::1]'
        : host.includes(':')
          ? `[${host}]`
          : host;
  return { host, isExposed, shown };
}

/** The port asked for, or else 3000 or the next free one. */
export async function choosePort(host) {
  if (process.env.PORT) {
    const port = Number(process.env.PORT);
    if (await isFree(port, host)) return port;
    throw new Trouble(
      `Port ${process.env.PORT} on ${host} cannot be used: another program listens there. Give another PORT.`,
    );
  }
  for (let port = 3000; port < 3020; port++) {
    if (await isFree(port, host)) return port;
    say(`Port ${port} is taken, trying ${port + 1}.`);
  }
  throw new Trouble(
    'The ports from 3000 to 3019 are all taken. Give a free one: PORT=8080 npm start',
  );
}

/** The port of SMPP for customers, which a trial has where it is free. Undefined: there is none. */
export async function smppPort(host, withDemo) {
  const { SMPP_PORT, SMPP_TLS_PORT } = process.env;
  if (SMPP_PORT || SMPP_TLS_PORT || !withDemo) return SMPP_PORT || undefined;
  if (await isFree(2775, host)) return '2775';
  say('Port 2775 is taken: there is no SMPP server for customers. Give it another SMPP_PORT.');
}

/** Runs one command of the api's command line to its end. */
export async function cli(node, command, env) {
  const code = await run(node, [entry('cli'), command], { cwd: root, env });
  if (code !== 0)
    throw new Trouble(`The step "${command}" failed (${code}); the lines above say why.`);
}

/** A process that is started again when it ends by itself, later each time. */
export function keepRunning(name, node, args, env) {
  let child;
  let stopping = false;
  let failures = 0;
  let wake = () => {};

  const loop = async () => {
    while (!stopping) {
      const since = Date.now();
      child = spawn(node, args, {
        cwd: root,
        env,
        stdio: ['ignore', 'inherit', 'inherit'],
        detached: true,
      });
      if (child.pid) writePidFile(join(runDir, `${name}.json`), child.pid);
      const how = await new Promise((resolve) => {
        child.once('error', (error) => resolve(error.message));
        child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
      });
      if (stopping) return;
      if (how === `code ${REFUSED}`) return void (failures = Infinity);
      failures = Date.now() - since > steadyAfter ? 1 : failures + 1;
      const pause = Math.min(30_000, 500 * 2 ** failures);
      console.error(
        `The ${name} ended unexpectedly (${how}); starting it again in ${pause / 1000} s.`,
      );
      await Promise.race([
        sleep(pause, undefined, { ref: false }),
        new Promise((resolve) => (wake = resolve)),
      ]);
    }
  };
  const done = loop();
  return {
    name,
    failures: () => failures,
    stop: async () => {
      stopping = true;
      wake();
      if (child?.pid) await stopPid(child.pid, { timeoutMs: stopTimeoutMs(env) });
      await done;
    },
    insist: () => child?.kill('SIGKILL'),
  };
}

/** Waits until the api says that it is ready; gives up when it keeps ending. */
export async function waitForHealth(url, api, isStopping) {
  for (const until = Date.now() + 120_000; Date.now() < until && !isStopping();) {
    if (api.failures() >= 3) throw new Trouble('The api does not start; the lines above say why.');
    const answer = await fetch(`${url}/api/health/ready`, {
      signal: AbortSignal.timeout(2000),
    }).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(50);
  }
  if (!isStopping())
    throw new Trouble(`${url}/api/health/ready did not become ready within two minutes.`);
}
