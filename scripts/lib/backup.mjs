import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { baseBackup, copy } from './base-backup.mjs';
import { postgres, runningPostgres, stopLeftover } from './postgres.mjs';
import { readPidFile, stopLeftovers } from './processes.mjs';
import { Trouble, root, say } from './project.mjs';
import { manifest, toolEnv } from './runtime.mjs';
import { cli } from './server.mjs';
import { serverHome } from './unprivileged.mjs';

const { version } = manifest;
/** In a backup that is whole. */
const NOTE = 'backup.json';

/** Where the installation keeps the contents of files; undefined if that is not a folder. */
function filesOf(dir) {
  if (process.env.FILES_DRIVER === 's3') return undefined;
  return process.env.FILES_DIR ? resolve(root, process.env.FILES_DIR) : join(dir, 'files');
}

/** `npm start` would bring no database of its own. */
export function refuseForeign() {
  if (process.env.DATABASE_URL)
    throw new Trouble('DATABASE_URL names another server: use pg_dump, see docs/operations.md.');
}

/**
 * Copies the database, which may run, and then the files of the installation in `dir` to the folder `to`, which must not exist.
 * A backup that is interrupted leaves only a folder that `restore` refuses.
 */
export async function backup({ node, dir, to }) {
  if (existsSync(to)) throw new Trouble(`${to} exists already. Name a folder that does not.`);
  const home = join(dir, 'postgres');
  if (!existsSync(join(home, 'connection.json')))
    throw new Trouble(`There is no database in ${home}.`);
  const running = runningPostgres(home);
  const server = running ?? (await postgres({ dataDir: home }));
  try {
    const at = new Date().toISOString();
    mkdirSync(join(to, 'postgres'), { recursive: true, mode: 0o700 });
    await baseBackup(server, join(to, 'postgres/data'));
    copy(join(server.home, 'connection.json'), join(to, 'postgres/connection.json'));
    // After the database: files without a row are removed later, a row without its file stays broken.
    const files = filesOf(dir);
    if (!files) say('The files are in S3 and are not copied.');
    else if (existsSync(files)) copy(files, join(to, 'files'));
    writeFileSync(join(to, NOTE), JSON.stringify({ version, at }));
    await cli(node, 'backed-up', environment(node, server.url));
  } finally {
    if (!running) await server.stop();
  }
}

const environment = (node, DATABASE_URL) =>
  toolEnv(node, { LOG_LEVEL: 'warn', DATABASE_URL, REDIS_URL: 'redis://127.0.0.1' });

/**
 * Puts the backup `from` in the place of the installation in `dir`, which must not run, brings its structure up to date, pauses what would
 * send at once, and checks it. What was there before stays beside it.
 */
export async function restore({ node, dir, from }) {
  const made = readNote(from);
  if (isNewer(made.version, version))
    throw new Trouble(
      `The backup is of version ${made.version}, this is ${version}: update the checkout first.`,
    );
  if (readPidFile(join(dir, 'run/launcher.json')))
    throw new Trouble('Heliograph runs from this folder. Stop it first.');
  await moveAside(dir);
  const home = serverHome(join(dir, 'postgres'));
  for (const name of ['data', 'connection.json'])
    copy(join(from, 'postgres', name), join(home, name));
  const files = filesOf(dir);
  if (files && existsSync(join(from, 'files'))) copy(join(from, 'files'), files);
  say(`Restored the state of ${made.at}. Checking it ...`);
  const server = await postgres({ dataDir: join(dir, 'postgres') });
  try {
    const env = environment(node, server.url);
    for (const step of ['migrate', 'seed', 'pause-sending', 'verify']) await cli(node, step, env);
  } finally {
    await server.stop();
  }
}

function readNote(from) {
  try {
    return JSON.parse(readFileSync(join(from, NOTE), 'utf8'));
  } catch {
    throw new Trouble(`${from} is no backup, or one that was interrupted.`);
  }
}

function isNewer(one, other) {
  const [a, b] = [one, other].map((text) => text.split('.').map(Number));
  const at = a.findIndex((part, i) => part !== b[i]);
  return at >= 0 && a[at] > b[at];
}

/** Jobs in Redis belong to the later state, so they go, too. */
async function moveAside(dir) {
  const there = [join(dir, 'postgres'), join(dir, 'redis'), filesOf(dir)].filter(
    (path) => path && existsSync(path),
  );
  await stopLeftovers(join(dir, 'run'), ['api', 'smpp', 'worker']);
  await stopLeftover(join(dir, 'postgres/data'));
  await stopLeftovers(join(dir, 'redis'), ['redis']);
  const suffix = `before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  for (const path of there) {
    renameSync(path, `${path}.${suffix}`);
    say(`What was there before: ${path}.${suffix}`);
  }
}
