import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Trouble, dataDir, root, say } from './project.mjs';
import { run, withLock } from './processes.mjs';
import { toolEnv } from './runtime.mjs';

const skipped = new Set([
  'node_modules',
  'dist',
  'e2e',
  'test',
  'test-results',
  'playwright-report',
]);
const isSkipped = (name) => skipped.has(name) || /\.(tsbuildinfo|test\.tsx?)$/.test(name);
// What every application is made of besides its own folder; the api also compiles what lies at the top.
const shared = ['packages', 'pnpm-lock.yaml', 'tsconfig.base.json'];
// The words of notifications are those of the cabinet.
const topLevel = { api: ['migrations', 'seeds', 'package.json', 'apps/cabinet/src/locales'] };

function hashInto(hash, path) {
  for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    if (isSkipped(entry.name)) continue;
    const file = join(path, entry.name);
    if (entry.isDirectory()) hashInto(hash, file);
    else if (entry.isFile()) hash.update(`${relative(root, file)}\0`).update(readFileSync(file));
  }
}

function sourceStamp(app) {
  const hash = createHash('sha256');
  for (const path of [`apps/${app}`, ...shared, ...(topLevel[app] ?? [])].map((name) =>
    join(root, name),
  )) {
    if (!existsSync(path)) continue;
    if (statSync(path).isFile()) hash.update(readFileSync(path));
    else hashInto(hash, path);
  }
  return hash.digest('hex');
}

const builds = (app) => {
  const manifest = join(root, 'apps', app, 'package.json');
  return existsSync(manifest) && Boolean(JSON.parse(readFileSync(manifest, 'utf8')).scripts?.build);
};

/** Builds the applications whose sources changed since their last build. Resolves with the api's stamp. */
export async function build(node, only) {
  const apps = readdirSync(join(root, 'apps')).filter(
    (app) => builds(app) && (!only || only.includes(app)),
  );
  await withLock(join(dataDir, 'build.lock'), () =>
    Promise.all(apps.map((app) => buildApp(node, app))),
  );
  const stamp = sourceStamp('api');
  const programs = join(root, 'apps/api/dist/apps/api/src');
  if (existsSync(programs))
    writeFileSync(join(programs, 'build-id'), commit() ?? stamp.slice(0, 12));
  return stamp;
}

/** The commit of the checkout, marked if files differ from it. Without git the sources themselves name the build. */
function commit() {
  const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  const head = git('rev-parse', '--short=12', 'HEAD');
  if (head.status !== 0) return undefined;
  const isChanged = git('status', '--porcelain', '--untracked-files=no').stdout !== '';
  return `${head.stdout.trim()}${isChanged ? '-changed' : ''}`;
}

async function buildApp(node, app) {
  const dist = join(root, 'apps', app, 'dist');
  const stampFile = join(dist, '.built');
  const stamp = sourceStamp(app);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  say(`Building ${app} ...`);
  // A compiled migration whose source is gone would still be run; a compiler's memory of what it wrote would be wrong.
  rmSync(dist, { recursive: true, force: true });
  for (const file of readdirSync(join(root, 'apps', app))) {
    if (file.endsWith('.tsbuildinfo')) rmSync(join(root, 'apps', app, file));
  }
  const pnpm = join(root, 'node_modules/.bin/pnpm');
  const code = await run(pnpm, ['--silent', 'run', 'build'], {
    cwd: join(root, 'apps', app),
    // The same build in tests and in production.
    env: { ...toolEnv(node), NODE_ENV: 'production' },
    quiet: true,
  });
  if (code !== 0) throw new Trouble(`Building ${app} failed.`);
  if (existsSync(dist)) writeFileSync(stampFile, stamp);
}
