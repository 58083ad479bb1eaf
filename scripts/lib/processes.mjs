import { execFileSync, spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Trouble } from './project.mjs';

/** Runs a command to its end and resolves with its exit code. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? (signal ? 128 : 1)));
  });
}

/** Runs a command quietly; on failure its output is the message. Resolves with stdout. */
export function capture(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], ...options });
    let out = '';
    let all = '';
    child.stdout.on('data', (chunk) => ((out += chunk), (all += chunk)));
    child.stderr.on('data', (chunk) => (all += chunk));
    child.stdin.on('error', () => {}); // a command that ends without reading is reported by its exit code
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(out) : reject(new Trouble(`${command} ${args[0] ?? ''} failed (${code}):\n${all.trim()}`)),
    );
    child.stdin.end(options.input ?? '');
  });
}

/** What tells a process from a later one that got the same number; undefined when there is no such process. */
export function startedAt(pid) {
  try {
    if (existsSync('/proc/self/stat')) {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' ? undefined : fields[19];
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { stdio: 'pipe' }).toString().trim() || undefined;
  } catch {
    return undefined;
  }
}

export function writePidFile(file, pid, more = {}) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ pid, started: startedAt(pid), ...more }));
}

/** The content of a pid file when its process still runs. */
export function readPidFile(file) {
  try {
    const entry = JSON.parse(readFileSync(file, 'utf8'));
    return entry.started !== undefined && startedAt(entry.pid) === entry.started ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** Asks a process to end and insists after a while. Works for children and for strangers known by number alike. */
export async function stopPid(pid, { signal = 'SIGTERM', patience = 12_000, insist = 'SIGKILL' } = {}) {
  const identity = startedAt(pid);
  const send = (what) => {
    try {
      process.kill(pid, what);
    } catch {
      // already gone
    }
  };
  if (identity === undefined) return;
  send(signal);
  const until = Date.now() + patience;
  while (startedAt(pid) === identity) {
    if (Date.now() > until) {
      send(insist);
      break;
    }
    await sleep(20);
  }
}

/** Stops what an earlier run, killed before it could clean up, left behind under these names. */
export async function stopLeftovers(dir, names) {
  for (const name of names) {
    const file = join(dir, `${name}.json`);
    const entry = readPidFile(file);
    if (entry) await stopPid(entry.pid);
    rmSync(file, { force: true });
  }
}

/** One at a time across processes. A holder that died does not hold. */
export async function withLock(file, work, waiting) {
  mkdirSync(dirname(file), { recursive: true });
  const mine = JSON.stringify({ pid: process.pid, started: startedAt(process.pid) });
  for (let told = false; ; ) {
    try {
      writeFileSync(file, mine, { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      await sleep(100); // also lets a holder that has just created the file write its line
      if (!readPidFile(file)) rmSync(file, { force: true });
      else if (!told && waiting) {
        told = true;
        console.log(waiting);
      }
    }
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** Folders of runs whose process is gone, for sweeping. */
export function deadRuns(dir) {
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .filter((name) => name.endsWith('.json') && !readPidFile(join(dir, name)))
    .map((name) => join(dir, name));
}

/** Calls `stop` once on Ctrl-C, SIGTERM or SIGHUP; a second signal is left to the caller's `insist`. */
export function onSignals(stop, insist = () => process.exit(1)) {
  let asked = false;
  const listener = (signal) => {
    if (asked) return insist(signal);
    asked = true;
    stop(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, listener);
  return () => ['SIGINT', 'SIGTERM', 'SIGHUP'].forEach((signal) => process.off(signal, listener));
}

/** The command line of a process, or '' when there is none. */
export function commandOf(pid) {
  try {
    if (existsSync('/proc/self/cmdline')) return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { stdio: 'pipe' }).toString();
  } catch {
    return '';
  }
}

/** The end of a log, to say why something did not start. */
export function tail(file, lines = 15) {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  } catch {
    return '';
  }
}

/** The full path of a program on PATH, also in the folders that are missing from an ordinary user's PATH. */
export function onPath(name) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/bin', '/usr/bin', '/usr/sbin', '/snap/bin'];
  return folders.map((folder) => join(folder, name)).find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return isAbsolute(file);
    } catch {
      return false;
    }
  });
}
