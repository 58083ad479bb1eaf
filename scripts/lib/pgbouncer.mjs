import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Trouble, isRoot } from './project.mjs';
import { serverProgram } from './debian.mjs';
import { stopPid, untilAnswers } from './processes.mjs';
import { freePort } from './ports.mjs';
import { isReachable, ownedFile, ownedFolder, serverAccount, serverHome } from './unprivileged.mjs';

/** Asks whether connections can be encrypted, which is answered with one letter. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/**
 * Starts a PgBouncer in transaction mode for all databases of the server of `url`, each with at most `size` sessions. Resolves when it
 * answers, with `url`, which is its own and otherwise like that one, `stop()` and `exited`. With `port` it is at the same address as another
 * one was.
 */
export async function pgbouncer({ dataDir, url, size = 10, port }) {
  const { command, env } = await serverProgram('pgbouncer');
  if (isRoot && !isReachable(command))
    throw new Trouble(
      `PgBouncer does not run as root, and other accounts cannot reach ${command}.`,
    );
  const home = serverHome(dataDir);
  const data = ownedFolder(join(home, 'data'));
  const server = new URL(url);
  const own = new URL(url);
  own.host = `127.0.0.1:${await freePort(port)}`;
  const text = (value) => `"${decodeURIComponent(value).replaceAll('"', '""')}"`;
  const users = ownedFile(
    join(data, 'users.txt'),
    `${text(server.username)} ${text(server.password)}\n`,
  );
  const settings = ownedFile(
    join(data, 'pgbouncer.ini'),
    [
      '[databases]',
      `* = host=${server.hostname} port=${server.port || 5432}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${own.port}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${users}`,
      `admin_users = ${decodeURIComponent(server.username)}`,
      'pool_mode = transaction',
      `default_pool_size = ${size}`,
      'max_client_conn = 1000',
      // Tests have many databases, and each leaves its sessions behind.
      'server_idle_timeout = 10',
      'server_login_retry = 1',
      'log_connections = 0',
      'log_disconnections = 0',
      '',
    ].join('\n'),
  );
  const logFile = join(home, 'pgbouncer.log');
  const log = openSync(logFile, 'a');
  const child = spawn(command, [settings], {
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC', ...env },
    stdio: ['ignore', log, log],
    detached: true,
    ...serverAccount(),
  });
  closeSync(log);
  const exited = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
  await untilAnswers('PgBouncer', child, () => answers(own.port), logFile);
  return {
    url: own.href,
    pid: child.pid,
    home,
    exited,
    stop: () => stopPid(child.pid).then(() => exited),
  };
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (result) => (socket.destroy(), resolve(result));
    socket.setTimeout(1000, () => end(false));
    socket.once('error', () => end(false)).once('close', () => end(false));
    socket.once('connect', () => socket.write(SSL_REQUEST));
    socket.once('data', () => end(true));
  });
}
