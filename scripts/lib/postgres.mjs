import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Trouble } from './project.mjs';
import { capture, commandOf, stopPid, tail } from './processes.mjs';
import { freePort } from './ports.mjs';
import { postgresBin, postgresMajor } from './postgres-binaries.mjs';
import { ownedFile, ownedFolder, serverAccount, serverHome } from './unprivileged.mjs';

// Collation is ICU's, independent of the machine; the C.UTF-8 character class lets pg_trgm see Cyrillic as letters.
// docker-compose.yml initialises its database with the same words.
export const localeArgs = [
  '--encoding=UTF8',
  '--locale=C.UTF-8',
  '--locale-provider=icu',
  '--icu-locale=und',
];

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};
// For data that is thrown away afterwards.
export const forgetful = {
  max_connections: '200',
  fsync: 'off',
  synchronous_commit: 'off',
  wal_writer_delay: '10ms',
  full_page_writes: 'off',
};

const user = 'heliograph';
const database = 'heliograph';
// PGxxx variables of the user's shell must not reach our server.
const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC' };

/**
 * Starts our own PostgreSQL in `dataDir`, creating it there the first time. Resolves when it takes connections, with its
 * `url`, `stop()`, and `exited`, which resolves when the server ends for whatever reason.
 */
export async function postgres({
  dataDir,
  durable = true,
  logFile = join(dataDir, 'postgres.log'),
}) {
  const bin = postgresBin();
  const home = serverHome(dataDir);
  const data = join(home, 'data');
  const keepsake = join(home, 'connection.json');

  await stopLeftover(data);
  if (!existsSync(keepsake)) await initialise(bin, data, keepsake);
  checkVersion(data);
  const connection = JSON.parse(readFileSync(keepsake, 'utf8'));
  connection.port = await freePort(connection.port);
  writeFileSync(keepsake, JSON.stringify(connection), { mode: 0o600 });

  const all = { ...settings, ...(durable ? {} : forgetful), port: connection.port };
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openSync(logFile, 'a');
  const child = spawn(join(bin, 'postgres'), ['-D', data, ...args], {
    cwd: '/',
    env,
    stdio: ['ignore', log, log],
    detached: true, // a Ctrl-C in the terminal is ours to pass on, after those who use the database
    ...serverAccount(),
  });
  closeSync(log);
  const exited = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
  await ready(child, data, logFile);
  return {
    url: urlOf(connection),
    pid: child.pid,
    home,
    exited,
    // SIGINT is "fast": sessions are cut, data is flushed. SIGQUIT is "immediate", recovered at the next start.
    stop: () =>
      stopPid(child.pid, { signal: 'SIGINT', timeoutMs: 20_000, insist: 'SIGQUIT' }).then(
        () => exited,
      ),
  };
}

const urlOf = ({ password, port }) =>
  `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;

/** Our own PostgreSQL in `dataDir` while it runs, with its `home` and `url`; undefined if there is none or it does not run. */
export function runningPostgres(dataDir) {
  const keepsake = join(dataDir, 'connection.json');
  if (!existsSync(keepsake)) return undefined;
  const [pid] = tail(join(dataDir, 'data/postmaster.pid'), Infinity).split('\n');
  if (!commandOf(Number(pid)).includes('postgres')) return undefined;
  return {
    home: realpathSync(dataDir),
    url: urlOf(JSON.parse(readFileSync(keepsake, 'utf8'))),
  };
}

async function initialise(bin, data, keepsake) {
  // No keepsake means that an earlier attempt did not come to its end.
  rmSync(data, { recursive: true, force: true });
  ownedFolder(data);
  const password = randomBytes(18).toString('base64url');
  const as = { cwd: '/', env, ...serverAccount() };
  const passwordFile = ownedFile(`${data}.password`, password);
  const auth = ['--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  await capture(join(bin, 'initdb'), ['-D', data, '-U', user, ...auth, ...localeArgs], as);
  rmSync(passwordFile);
  const single = ['--single', '-D', data, 'postgres'];
  await capture(join(bin, 'postgres'), single, { ...as, input: `CREATE DATABASE ${database}\n` });
  writeFileSync(keepsake, JSON.stringify({ password }), { mode: 0o600 });
}

function checkVersion(data) {
  const version = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  if (version === String(postgresMajor)) return;
  throw new Trouble(
    `${data} belongs to PostgreSQL ${version}, this is ${postgresMajor}. Dump it with the old one, or move it away.`,
  );
}

/** A server that outlived its launcher still holds the folder. */
export async function stopLeftover(data) {
  let lines;
  try {
    lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw new Trouble(
      `${data} cannot be read (${error.code}); it belongs to another account, perhaps root's.`,
    );
  }
  const pid = Number(lines[0]);
  const command = commandOf(pid);
  if (command.includes('postgres'))
    await stopPid(pid, { signal: 'SIGINT', timeoutMs: 20_000, insist: 'SIGQUIT' });
  // The number is another program's by now. Of a server that was killed the file stays: by it the next one sees whether
  // sessions of the last still write.
  else if (command) rmSync(join(data, 'postmaster.pid'), { force: true });
}

/** The server writes its state into the last line of its pid file. */
async function ready(child, data, logFile) {
  let failed;
  child.once('error', (error) => (failed = error));
  for (const until = Date.now() + 60_000; Date.now() < until;) {
    if (failed || child.exitCode !== null || child.signalCode !== null) break;
    try {
      const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
      if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return;
    } catch {
      // not written yet
    }
    await sleep(10);
  }
  if (child.pid) await stopPid(child.pid, { signal: 'SIGQUIT', timeoutMs: 3000 });
  throw new Trouble(`PostgreSQL did not start: ${failed?.message ?? ''}\n${tail(logFile)}`);
}
