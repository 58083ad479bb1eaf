import { spawn } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { serverProgram } from './debian.mjs';
import { freePort } from './ports.mjs';
import { stopPid, untilAnswers } from './processes.mjs';
import { isRoot } from './project.mjs';

/**
 * Starts nginx with `settings` inside of its `http` block, where `listen 443 ssl` becomes a free port of this machine. Resolves when it
 * answers, with its `base` and `stop()`. Its files are in `folder`.
 */
export async function nginx({ folder, settings }) {
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path "${join(folder, kind)}";`)
    .join('\n');
  const own = settings.replace('listen 443 ssl;', `listen 127.0.0.1:${port};`);
  const lines = `${isRoot ? 'user root;' : ''}
daemon off;
pid "${join(folder, 'nginx.pid')}";
error_log stderr;
events {}
http {
access_log off;
${temporary}
${own}
}
`;
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, lines);
  return proxy('nginx', ['-c', file, '-e', 'stderr'], { folder, port });
}

/** The same of HAProxy, with a backend in `settings` that is named `heliograph`. */
export async function haproxy({ folder, settings }) {
  const port = await freePort();
  const lines = `defaults
  mode http
  timeout connect 2s
  timeout client 90s
frontend all
  bind 127.0.0.1:${port}
  default_backend heliograph
${settings}
`;
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, lines);
  return proxy('haproxy', ['-f', file], { folder, port });
}

async function proxy(name, args, { folder, port }) {
  const { command, env } = await serverProgram(name, '-v');
  const logFile = join(folder, `${name}.log`);
  const log = openSync(logFile, 'a');
  const child = spawn(command, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', ...env },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const exited = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
  await untilAnswers(name, child, () => answers(port), logFile);
  return {
    base: `http://127.0.0.1:${port}`,
    stop: () => stopPid(child.pid).then(() => exited),
  };
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (result) => (socket.destroy(), resolve(result));
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}
