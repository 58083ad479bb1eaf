import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { Trouble, dataDir, main, root, say } from './project.mjs';
import { run, withLock } from './processes.mjs';

export const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const [pnpmVersion] = manifest.packageManager.replace('pnpm@', '').split('+');
const stampFile = join(root, 'node_modules/.installed');

function major(node) {
  try {
    return Number(
      execFileSync(node, ['-p', 'process.versions.node.split(".")[0]'], {
        stdio: 'pipe',
      }).toString(),
    );
  } catch {
    return 0; // absent, or built for another libc
  }
}

/** Everything that decides what an install puts into node_modules. */
function installStamp() {
  const files = ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml'];
  for (const group of ['apps', 'packages']) {
    for (const name of readdirSync(join(root, group)).sort())
      files.push(join(group, name, 'package.json'));
  }
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`);
  for (const file of files) {
    if (existsSync(join(root, file))) hash.update(file).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

const isInstalled = (stamp) => {
  try {
    return (
      readFileSync(stampFile, 'utf8') === stamp &&
      existsSync(join(root, 'node_modules/.modules.yaml'))
    );
  } catch {
    return false;
  }
};

async function pnpmInstall() {
  const args = [
    'install',
    '--frozen-lockfile',
    '--prefer-offline',
    '--reporter=append-only',
    '--loglevel=warn',
  ];
  const options = { cwd: root, env: { ...process.env, COREPACK_ENABLE_DOWNLOAD_PROMPT: '0' } };
  const ways = [
    ['corepack', ['pnpm', ...args]],
    ['npx', ['--yes', `pnpm@${pnpmVersion}`, ...args]],
  ];
  for (const [command, words] of ways) {
    const code = await run(command, words, options).catch((error) => error.code);
    if (code === 0) return;
    if (code !== 'ENOENT') say(`${command} pnpm install ended with ${code}.`);
  }
  throw new Trouble('The dependencies could not be installed; the lines above say why.');
}

/** Installs what the lockfile names, unless that has been done, and finds the Node that runs the project. */
export async function bootstrap() {
  if (!isInstalled(installStamp())) {
    await withLock(
      join(dataDir, 'install.lock'),
      async () => {
        const stamp = installStamp();
        if (isInstalled(stamp)) return;
        say('Installing dependencies ...');
        await pnpmInstall();
        writeFileSync(stampFile, stamp);
      },
      'Another run is installing dependencies, waiting for it ...',
    );
  }
  return workspaceNode();
}

/** The Node 24 that came with the dependencies, else this machine's own. */
export function workspaceNode() {
  const wanted = 24;
  const own = join(root, 'node_modules/.bin/node');
  if (existsSync(own) && major(own) >= wanted) return own;
  if (Number(process.versions.node.split('.')[0]) >= wanted) return process.execPath;
  throw new Trouble(
    `Heliograph runs on Node ${wanted} or later. On Linux (x64, arm64, glibc) it brings its own; ` +
      `here (${process.platform} ${process.arch}) please install Node ${wanted}: this is ${process.version}.`,
  );
}

/** The environment of everything we start: the workspace's Node and tools come first. */
export function toolEnv(node, more = {}) {
  const path = [dirname(node), join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  return { ...process.env, PATH: path, ...more };
}

/** Runs `script` on the workspace's Node, forwards signals, and exits with its code. */
export async function mainOnWorkspaceNode(script) {
  await main(async () => {
    const node = await bootstrap();
    const child = spawn(node, [script, ...process.argv.slice(2)], {
      cwd: root,
      stdio: 'inherit',
      env: toolEnv(node),
    });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
      process.on(signal, () => child.kill(signal));
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => resolve(code ?? (signal ? 128 : 1)));
    });
  });
}
