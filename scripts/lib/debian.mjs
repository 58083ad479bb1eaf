import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Trouble, cacheDir, isRoot, say } from './project.mjs';
import { capture, onPath, withLock } from './processes.mjs';

function release() {
  try {
    const text = readFileSync('/etc/os-release', 'utf8');
    const value = (name) => text.match(new RegExp(`^${name}="?([^"\\n]*)`, 'm'))?.[1] ?? '';
    return `${value('ID')}-${value('VERSION_ID')}-${process.arch}`;
  } catch {
    return '';
  }
}

/** Folders with shared libraries below an unpacked root. */
function libraryPath(dir) {
  const triple = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu';
  const folders = ['usr/lib', 'lib'].flatMap((lib) => [
    `${lib}/${triple}`,
    `${lib}/${triple}/pulseaudio`,
    `${lib}/postfix`,
    lib,
  ]);
  return folders
    .map((folder) => join(dir, folder))
    .filter(existsSync)
    .join(':');
}

/** Whether the program runs: what it was unpacked for (this system's libraries) may have changed since. */
function runs(dir, check, asks) {
  try {
    execFileSync(join(dir, check), [asks], {
      stdio: 'ignore',
      env: { ...process.env, LD_LIBRARY_PATH: libraryPath(dir) },
    });
    return true;
  } catch {
    return false;
  }
}

/**
 * A program from this machine's own Debian (or Ubuntu) packages, unpacked into a cache folder: the system is not
 * touched and root is not needed. Undefined on a machine without apt. `dir` is the unpacked root.
 */
export async function debianTool(name, { packages, check, asks = '--version' }) {
  if (!onPath('apt-get') || !onPath('dpkg')) return undefined;
  const dir = join(cacheDir(), `${name}-${release()}`);
  const result = () => ({ dir, env: { LD_LIBRARY_PATH: libraryPath(dir) } });
  if (runs(dir, check, asks)) return result();
  await withLock(`${dir}.lock`, async () => {
    if (runs(dir, check, asks)) return;
    say(`Fetching ${name} from this machine's package source (once, into ${dir}) ...`);
    rmSync(dir, { recursive: true, force: true });
    const fresh = `${dir}.${process.pid}`;
    try {
      await unpack(packages, fresh);
      renameSync(join(fresh, 'root'), dir);
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
  });
  return result();
}

/** A server program of this machine, else of its packages, which are named as it is. `asks` is what it answers with its version. */
export async function serverProgram(name, asks) {
  const own = onPath(name);
  if (own) return { command: own, env: {} };
  const tool = await debianTool(name, { packages: [name], check: `/usr/sbin/${name}`, asks });
  if (tool) return { command: join(tool.dir, `usr/sbin/${name}`), env: tool.env };
  throw new Trouble(`${name} is not on this machine. Install it.`);
}

async function unpack(packages, work) {
  const lists = join(work, 'lists');
  const cache = join(work, 'cache');
  const debs = join(work, 'debs');
  for (const dir of [
    join(lists, 'partial'),
    join(cache, 'archives/partial'),
    debs,
    join(work, 'root'),
  ]) {
    mkdirSync(dir, { recursive: true });
  }
  const own = [
    `Dir::State::lists=${lists}`,
    `Dir::Cache=${cache}`,
    'Debug::NoLocking=1',
    'APT::Install-Recommends=0',
    'Acquire::Languages=none',
    'Acquire::Retries=2',
    ...(isRoot ? ['APT::Sandbox::User=root'] : []),
  ].flatMap((option) => ['-o', option]);
  const apt = (...args) =>
    capture('apt-get', [...own, '-qq', ...args], {
      cwd: debs,
      env: { ...process.env, LC_ALL: 'C' },
    });

  // A source that does not answer is no obstacle as long as the packages can be had from the others.
  const update = await apt('update').then(
    () => undefined,
    (error) => error,
  );
  const plan = await apt('-s', 'install', ...packages).catch((error) => {
    throw update ?? error;
  });
  // `Inst redis-server [5:7.0.14-1] (5:7.0.15-1 Debian:12/stable [amd64])`: the version in force stands in brackets.
  const wanted = plan.split('\n').flatMap((line) => {
    const [action, name, ...rest] = line.split(' ');
    const version = rest.find((word) => word.startsWith('('))?.slice(1);
    return action === 'Inst' && version ? [`${name}=${version}`] : [];
  });
  // Packages that are installed already need not be fetched, but the program itself may be wanted in another place.
  const missing = wanted.length > 0 ? wanted : packages;
  await apt('download', ...missing);
  for (const deb of readdirSync(debs).filter((file) => file.endsWith('.deb'))) {
    await capture('dpkg', ['-x', join(debs, deb), join(work, 'root')]);
  }
}
