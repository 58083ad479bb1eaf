import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { dataDir, root, say, Trouble } from './project.mjs';
import { deadRuns, identify, isRunning, stopPid, writePidFile } from './processes.mjs';
import { forgetful, localeArgs } from './postgres.mjs';
import { pgbouncer } from './pgbouncer.mjs';
import { standby } from './standby.mjs';
import { services } from '../services.mjs';

const notes = join(dataDir, 'run/tests');

/**
 * A database and a Redis for tests: those given, else containers, else our own with their data in a temporary folder. With
 * `isPooled` a PgBouncer before the database, too; with `isReplicated` a streaming replica of our own database beside it.
 */
export async function testServices({ isPooled = false, isReplicated = false } = {}) {
  let servers = await databaseAndRedis();
  try {
    const { DATABASE_URL } = servers.env;
    if (isPooled)
      servers = await withServer(servers, 'POOLER_URL', 'through PgBouncer', (dataDir) =>
        pgbouncer({ dataDir, url: DATABASE_URL }),
      );
    if (isReplicated) {
      const primary = servers.own?.postgres;
      if (!primary) throw new Trouble('Only a database of our own can be replicated.');
      servers = await withServer(servers, 'REPLICA_URL', 'with a replica', (dataDir) =>
        standby({ dataDir, primary, durable: false }),
      );
    }
    return servers;
  } catch (error) {
    await servers.stop();
    throw error;
  }
}

/** Those servers and one more, whose address is in `variable`. */
async function withServer(servers, variable, kind, start) {
  const more = await embedded(variable, async (dir) => {
    const own = await start(join(dir, 'server'));
    return { env: { [variable]: own.url }, own: { [variable]: own }, stop: own.stop };
  });
  return {
    ...servers,
    kind: `${servers.kind}, ${kind}`,
    env: { ...servers.env, ...more.env },
    stop: () => more.stop().finally(servers.stop),
  };
}

async function databaseAndRedis() {
  const given = {
    DATABASE_URL: process.env.TEST_DATABASE_URL || process.env.DATABASE_URL,
    REDIS_URL: process.env.TEST_REDIS_URL || process.env.REDIS_URL,
  };
  if (given.DATABASE_URL && given.REDIS_URL)
    return { kind: 'given', env: given, stop: async () => {} };
  await sweep();
  if (await dockerAnswers()) {
    try {
      return await containers(given);
    } catch (error) {
      say(
        `Docker answers, but the containers do not start (${error.message}); taking our own servers.`,
      );
    }
  }
  return embedded('servers', (dir) => services({ dir, durable: false, given }));
}

/** What `start` starts in a temporary folder. A note lets a later run end it when this one is killed. */
async function embedded(name, start) {
  const dir = mkdtempSync(join(tmpdir(), 'heliograph-test-'));
  chmodSync(dir, 0o711); // as root the servers run under an account of their own, which has to pass
  const remove = (places) =>
    places.forEach((place) => rmSync(place, { recursive: true, force: true }));
  try {
    const { env, own, stop } = await start(dir);
    const places = [dir, ...Object.values(own).map(({ home }) => home)];
    const note = join(notes, `${process.pid}-${name}.json`);
    writePidFile(note, process.pid, {
      places,
      servers: Object.values(own).map(({ pid }) => identify(pid)),
    });
    return {
      kind: 'own',
      env,
      own,
      stop: async () => {
        await stop();
        remove([...places, note]);
      },
    };
  } catch (error) {
    remove([dir]);
    throw error;
  }
}

/** Servers and folders of runs that were killed. */
async function sweep() {
  for (const { file, servers = [], places = [] } of deadRuns(notes)) {
    for (const server of servers)
      if (isRunning(server)) await stopPid(server.pid, { signal: 'SIGINT' });
    for (const place of [...places, file]) rmSync(place, { recursive: true, force: true });
  }
}

/** The socket decides: a docker command without an engine proves nothing. */
function dockerAnswers() {
  const host = process.env.DOCKER_HOST || 'unix:///var/run/docker.sock';
  const { protocol, hostname, port, pathname } = new URL(host);
  const target =
    protocol === 'unix:' ? { socketPath: pathname } : { host: hostname, port: port || 2375 };
  return new Promise((resolve) => {
    const ping = request({ ...target, path: '/_ping', timeout: 1500 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    ping.once('error', () => resolve(false));
    ping.once('timeout', () => ping.destroy());
    ping.end();
  });
}

async function containers(given) {
  const fromApi = createRequire(join(root, 'apps/api/package.json'));
  const { GenericContainer, Wait } = await import(
    pathToFileURL(fromApi.resolve('testcontainers')).href
  );
  const started = [];
  const stop = () => Promise.all(started.map((container) => container.stop()));
  const start = async (definition) => {
    const container = await definition.start();
    started.push(container);
    return container;
  };
  const startPostgres = async () => {
    const settings = Object.entries(forgetful).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    const container = await start(
      new GenericContainer('postgres:18')
        .withEnvironment({
          POSTGRES_USER: 'heliograph',
          POSTGRES_PASSWORD: 'heliograph',
          POSTGRES_DB: 'heliograph',
          POSTGRES_INITDB_ARGS: localeArgs.join(' '),
        })
        .withCommand(['postgres', ...settings])
        .withExposedPorts(5432)
        .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2)),
    );
    return `postgres://heliograph:heliograph@${container.getHost()}:${container.getMappedPort(5432)}/heliograph`;
  };
  const startRedis = async () => {
    const container = await start(
      new GenericContainer('redis:8')
        .withCommand(['redis-server', '--save', '', '--appendonly', 'no'])
        .withExposedPorts(6379)
        .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/)),
    );
    return `redis://${container.getHost()}:${container.getMappedPort(6379)}`;
  };
  const [database, redis] = await Promise.allSettled([
    given.DATABASE_URL ?? startPostgres(),
    given.REDIS_URL ?? startRedis(),
  ]);
  const failed = [database, redis].find(({ status }) => status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  return {
    kind: 'containers',
    env: { DATABASE_URL: database.value, REDIS_URL: redis.value },
    stop,
  };
}
