import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const dist = join(root, 'apps/api/dist/apps/api/src');
/** A program of the built product: `main.js`, `worker.js`, `cli.js`. */
export const program = (file: string): string => join(dist, file);

export interface OwnDatabase {
  url: string;
  drop: () => Promise<void>;
}

/** A new database on the server of the tests. */
export async function ownDatabase(name: string): Promise<OwnDatabase> {
  const given = new URL(process.env.DATABASE_URL!);
  const own = new URL(given);
  own.pathname = `/${name}`;
  await sql(given, `create database ${name}`);
  return {
    url: own.toString(),
    drop: () => sql(given, `drop database if exists ${name} with (force)`),
  };
}

/** Migrates a database and loads seeds and the demo world. */
export function seed(env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [program('cli.js'), 'prepare'], {
    env: { ...env, DEMO: '1' },
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`cli prepare: ${code}`)),
    );
  });
}

export async function sql(url: URL, text: string): Promise<void> {
  const client = new pg.Client(url.toString());
  await client.connect();
  await client.query(text);
  await client.end();
}
