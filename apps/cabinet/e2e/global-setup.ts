import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from '../../../scripts/lib/build.mjs';
// @ts-expect-error plain modules of the launcher
import { chromium } from '../../../scripts/services.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const dist = join(root, 'apps/api/dist/apps/api/src');

/** The built product on a database of its own, with the demo world: an API process and a worker. */
export default async function setup(): Promise<() => Promise<void>> {
  const files = mkdtempSync(join(tmpdir(), 'heliograph-e2e-'));
  const name = `heliograph_e2e_${process.pid}`;
  const url = new URL(process.env.DATABASE_URL!);
  const processes: ChildProcess[] = [];
  const stop = async () => {
    for (const child of processes) child.kill('SIGTERM');
    await Promise.all(
      processes.map((c) => c.exitCode === null && new Promise((done) => c.once('exit', done))),
    );
    await sql(url, `drop database if exists ${name} with (force)`);
    rmSync(files, { recursive: true, force: true });
  };
  try {
    await build(process.execPath);
    await sql(url, `create database ${name}`);
    const port = await freePort();
    const own = new URL(url);
    own.pathname = `/${name}`;
    const env = {
      ...process.env,
      DATABASE_URL: own.toString(),
      REDIS_URL: `${process.env.REDIS_URL!.replace(/\/\d*$/, '')}/15`,
      PORT: String(port),
      FILES_DIR: files,
      CABINET_DIR: join(root, 'apps/cabinet/dist'),
      LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
      EXPIRES_SIMULATOR_SECONDS: '8',
    };
    for (const command of ['migrate', 'seed', 'demo']) await run(command, env);
    for (const file of ['main.js', 'worker.js']) {
      processes.push(
        spawn(process.execPath, [join(dist, file)], {
          env,
          cwd: root,
          stdio: ['ignore', 'inherit', 'inherit'],
        }),
      );
    }
    process.env.E2E_URL = `http://127.0.0.1:${port}`;
    process.env.E2E_DATABASE_URL = own.toString();
    process.env.E2E_CHROMIUM = await chromium();
    await ready(`${process.env.E2E_URL}/api/health`);
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

async function sql(url: URL, text: string): Promise<void> {
  const { default: pg } = await import('pg');
  const client = new pg.Client(url.toString());
  await client.connect();
  await client.query(text);
  await client.end();
}

function run(command: string, env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [join(dist, 'cli.js'), command], {
    env,
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`cli ${command}: ${code}`)),
    );
  });
}

async function ready(url: string): Promise<void> {
  for (let i = 0; i < 600; i++) {
    if ((await fetch(url).catch(() => null))?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the product did not become ready');
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
