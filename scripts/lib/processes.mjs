import { execFileSync, spawn } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Trouble } from './project.mjs';

const running = new Set();

/** Runs a command to its end and resolves with its exit code. `quiet` keeps its output for the case that it fails. */
export function run(command, args, { quiet = false, ...options } = {}) {
  const stdio = quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit';
  return new Promise((resolve, reject) => {
    // A group of its own, because a compiler behind a wrapper behind a package manager is stopped only as a group.
    const child = spawn(command, args, { stdio, detached: true, ...options });
    running.add(child);
    const output = [];
    for (const stream of quiet ? [child.stdout, child.stderr] : [])
      stream.on('data', (chunk) => output.push(chunk));
    child.once('error', (error) => (running.delete(child), reject(error)));
    child.once('close', (code, signal) => {
      running.delete(child);
      if (code !== 0) process.stderr.write(Buffer.concat(output));
      resolve(code ?? (signal ? 128 : 1));
    });
  });
}

/** Stops the running commands; kills them if they do not exit in time. */
export async function stopRuns(signal = 'SIGTERM', timeoutMs = 10_000) {
  const children = [...running];
  const send = (what) => children.forEach(({ pid }) => signalGroup(pid, what));
  send(signal);
  const until = Date.now() + timeoutMs;
  while (children.some((child) => running.has(child)) && Date.now() < until) await sleep(20);
  send('SIGKILL'); // also what outlived its parent
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // the group is empty
  }
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
      code === 0
        ? resolve(out)
        : reject(new Trouble(`${command} ${args[0] ?? ''} failed (${code}):\n${all.trim()}`)),
    );
    child.stdin.end(options.input ?? '');
  });
}

/** The start time of a process, which distinguishes it from a later one with the same pid; undefined if it does not run. */
export function startedAt(pid) {
  try {
    if (existsSync('/proc/self/stat')) {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' ? undefined : fields[19];
    }
    return (
      execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { stdio: 'pipe' })
        .toString()
        .trim() || undefined
    );
  } catch {
    return undefined;
  }
}

export function writePidFile(file, pid, more = {}) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...identify(pid), ...more }));
}

export const identify = (pid) => ({ pid, started: startedAt(pid) });
export const isRunning = ({ pid, started }) => started !== undefined && startedAt(pid) === started;

/** The content of a pid file when its process still runs. */
export function readPidFile(file) {
  try {
    const entry = JSON.parse(readFileSync(file, 'utf8'));
    return isRunning(entry) ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** Sends a signal to a process, and another one if it does not exit in time. Works for children and for other processes by pid. */
export async function stopPid(
  pid,
  { signal = 'SIGTERM', timeoutMs = 12_000, insist = 'SIGKILL' } = {},
) {
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
  const until = Date.now() + timeoutMs;
  while (startedAt(pid) === identity) {
    if (Date.now() > until) {
      send(insist);
      break;
    }
    await sleep(20);
  }
}

/** Stops the processes that a killed run left behind, by the names of their pid files. */
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
  const mine = JSON.stringify(identify(process.pid));
  for (let isReported = false; ;) {
    try {
      writeFileSync(file, mine, { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      await sleep(100); // also lets a holder that has just created the file write its line
      if (!readPidFile(file)) rmSync(file, { force: true });
      else if (!isReported && waiting) {
        isReported = true;
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

/** The pid files of runs that were killed. */
export function deadRuns(dir) {
  if (!existsSync(dir)) return [];
  const files = readdirSync(dir).map((name) => join(dir, name));
  return files
    .filter((file) => file.endsWith('.json') && !readPidFile(file))
    .map((file) => ({ file, ...JSON.parse(readFileSync(file, 'utf8') || '{}') }));
}

/** Calls `stop` once on Ctrl-C, SIGTERM or SIGHUP, and `insist` when it is asked again. */
export function onSignals(stop, insist = () => process.exit(1)) {
  let asked;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (asked === undefined) {
        asked = Date.now();
        stop(signal);
      } else if (Date.now() - asked > 1000) insist(signal); // a terminal and a parent both pass one Ctrl-C on
    });
  }
}

/** The command line of a process, or '' when there is none. */
export function commandOf(pid) {
  try {
    if (existsSync('/proc/self/cmdline'))
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
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
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    '/usr/local/bin',
    '/usr/bin',
    '/usr/sbin',
    '/snap/bin',
  ];
  return folders
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return isAbsolute(file);
      } catch {
        return false;
      }
    });
}

/** Waits until a server that was started answers. Throws with the end of its log if it ends before or takes too long. */
export async function untilAnswers(name, child, answers, logFile) {
  for (const until = Date.now() + 60_000; Date.now() < until;) {
    if (!child.pid || child.exitCode !== null || child.signalCode !== null) break;
    if (await answers()) return;
    await sleep(20);
  }
  if (child.pid) await stopPid(child.pid, { timeoutMs: 2000 });
  throw new Trouble(`${name} did not start:\n${tail(logFile)}`);
}
