import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Trouble, isRoot } from './project.mjs';
import { debianTool } from './debian.mjs';
import { onPath, readPidFile, stopPid, untilAnswers, writePidFile } from './processes.mjs';
import { freePort } from './ports.mjs';
import { isReachable, ownedFile, ownedFolder, serverAccount, serverHome } from './unprivileged.mjs';

const durableSettings = 'appendonly yes\nappendfsync everysec\n';
const forgetfulSettings = 'appendonly no\n';

/** A value of the configuration, which may contain spaces. */
const quoted = (text) => `"${text.replace(/["\\]/g, '\\$&')}"`;

async function redisBinary() {
  const own = onPath('redis-server') ?? onPath('valkey-server');
  if (own) return { command: own, env: {} };
  const tool = await debianTool('redis', {
    packages: ['redis-server'],
    check: '/usr/bin/redis-server',
  });
  if (tool) return { command: join(tool.dir, 'usr/bin/redis-server'), env: tool.env };
  throw new Trouble(
    'Neither redis-server nor valkey-server is on this machine. Install one of them, or give REDIS_URL.',
  );
}

/**
 * Starts our own Redis in `dataDir`. Resolves when it answers, with `url`, `stop()` and `exited`. `settings` are further lines of its
 * configuration. With `sentinel` it watches others and stores nothing.
 */
export async function redis({
  dataDir,
  durable = true,
  logFile = join(dataDir, 'redis.log'),
  password = randomBytes(18).toString('base64url'),
  settings = '',
  sentinel = false,
}) {
  const { command, env } = await redisBinary();
  const home = serverHome(dataDir);
  const pidFile = join(home, 'redis.json');
  const keepsake = join(home, 'connection.json');
  const leftover = readPidFile(pidFile);
  if (leftover) await stopPid(leftover.pid);

  const connection = existsSync(keepsake)
    ? JSON.parse(readFileSync(keepsake, 'utf8'))
    : { password };
  connection.port = await freePort(connection.port);
  writeFileSync(keepsake, JSON.stringify(connection), { mode: 0o600 });

  const data = ownedFolder(join(home, 'data'));
  const account = isReachable(command) ? serverAccount() : {};
  if (isRoot) execFileSync('chown', ['-R', `${account.uid ?? 0}:${account.gid ?? 0}`, data]);
  const storing = `save ""\nmaxmemory-policy noeviction\n${durable ? durableSettings : forgetfulSettings}`;
  const lines =
    `bind 127.0.0.1\nport ${connection.port}\nrequirepass ${connection.password}\ndir ${quoted(data)}\n` +
    `daemonize no\n${sentinel ? '' : storing}${settings}`;
  // A sentinel writes what it learns into its file.
  const file = sentinel && ownedFile(join(data, 'sentinel.conf'), lines);
  const log = openSync(logFile, 'a');
  // The configuration goes through a pipe, so that the password stands in no file of the server and no process list.
  const child = spawn(command, file ? [file, '--sentinel'] : ['-'], {
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC', ...env },
    stdio: ['pipe', log, log],
    detached: true,
    ...account,
  });
  closeSync(log);
  const exited = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
  child.stdin.on('error', () => {}); // its exit tells
  child.stdin.end(file ? '' : lines);
  if (child.pid) writePidFile(pidFile, child.pid);
  await untilAnswers('Redis', child, () => answers(connection), logFile);
  return {
    url: `redis://:${connection.password}@127.0.0.1:${connection.port}`,
    pid: child.pid,
    home,
    exited,
    stop: async () => {
      await stopPid(child.pid);
      await exited;
      rmSync(pidFile, { force: true });
    },
  };
}

/** It listens before its data is loaded; only +PONG is an answer. */
function answers({ port, password }) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let reply = '';
    const end = (result) => (socket.destroy(), resolve(result));
    socket.setTimeout(1000, () => end(false));
    socket.once('error', () => end(false)).once('close', () => end(false));
    socket.once('connect', () => socket.write(`AUTH ${password}\r\nPING\r\n`));
    socket.on('data', (chunk) => {
      reply += chunk;
      if (reply.includes('+PONG')) end(true);
      else if (reply.split('\r\n').length > 2) end(false);
    });
  });
}
