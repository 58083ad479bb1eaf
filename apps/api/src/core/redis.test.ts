import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../../scripts/lib/ports.mjs';
import { redis, type OwnRedis } from '../../../../scripts/lib/redis.mjs';
import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from '../../test/peers/certificate.ts';
import { createLog } from './log.ts';
import { FAIL_FAST, WAIT, openRedis, type RedisSettings } from './redis.ts';

const folder = mkdtempSync(join(tmpdir(), 'heliograph-tls-'));
chmodSync(folder, 0o711); // as root the servers run under an account of their own, which has to pass
const servers: OwnRedis[] = [];
let settings: RedisSettings;
let sentinel: string;

/** A further port with TLS, also for the server's own connections to others. */
async function tls(): Promise<{ port: number; lines: string }> {
  const port = await freePort();
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  writeFileSync(certificate, LOOPBACK_CERTIFICATE);
  writeFileSync(key, LOOPBACK_KEY);
  const files = `tls-cert-file ${certificate}\ntls-key-file ${key}\ntls-ca-cert-file ${certificate}\n`;
  return { port, lines: `tls-port ${port}\ntls-auth-clients no\ntls-replication yes\n${files}` };
}

beforeAll(async () => {
  const [ofServer, ofSentinel] = [await tls(), await tls()];
  const password = crypto.randomUUID();
  const start = async (name: string, more: object) =>
    servers.push(await redis({ dataDir: join(folder, name), durable: false, password, ...more }));
  await start('server', { settings: ofServer.lines });
  const watching = `sentinel monitor mymaster 127.0.0.1 ${ofServer.port} 1\nsentinel auth-pass mymaster ${password}\n`;
  await start('sentinel', { settings: `${ofSentinel.lines}${watching}`, sentinel: true });
  settings = { REDIS_URL: `rediss://:${password}@127.0.0.1:${ofServer.port}` };
  sentinel = `127.0.0.1:${ofSentinel.port}`;
}, 300_000);
afterAll(async () => {
  for (const server of servers) {
    await server.stop();
    rmSync(server.home, { recursive: true, force: true });
  }
  rmSync(folder, { recursive: true, force: true });
});

/** What a connection answers, or the message of its first error. */
function answerOf(given: RedisSettings): Promise<string> {
  const connection = openRedis(given, createLog('silent', 'test'), FAIL_FAST);
  onTestFinished(() => connection.disconnect());
  return new Promise((resolve) => {
    connection.once('error', ({ message }) => resolve(message));
    connection.once('ready', () => connection.ping().then(resolve, resolve));
  });
}

const throughSentinel = (): RedisSettings => {
  const { password } = new URL(settings.REDIS_URL);
  // Nothing listens at the host of the URL.
  const REDIS_URL = `rediss://:${password}@127.0.0.1:1`;
  return {
    REDIS_URL,
    REDIS_SENTINELS: [sentinel],
    REDIS_SENTINEL_NAME: 'mymaster',
    REDIS_SENTINEL_PASSWORD: password,
  };
};

test('over TLS a certificate that nobody vouches for is refused', async () => {
  expect(await answerOf(settings)).toContain('self-signed certificate');
  expect(await answerOf(throughSentinel())).toContain('All sentinels are unreachable');
});

function trustCertificate(): void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, LOOPBACK_CERTIFICATE]);
  onTestFinished(() => setDefaultCACertificates(before));
}

test('over TLS Redis answers, by its address and by sentinels', async () => {
  trustCertificate();
  expect(await answerOf(settings)).toBe('PONG');
  expect(await answerOf(throughSentinel())).toBe('PONG');
  const plain = { ...settings, REDIS_URL: settings.REDIS_URL.replace('rediss:', 'redis:') };
  expect(await answerOf(plain)).not.toBe('PONG');
});

// A listener to sentinels does so at a failover, BullMQ when a blocking command has lasted for too long.
test('a connection that is to be opened again while it asks the sentinels is opened again', async () => {
  trustCertificate();
  const connection = openRedis(throughSentinel(), createLog('silent', 'test'), WAIT);
  onTestFinished(() => connection.disconnect());
  expect(connection.status).toBe('connecting');
  connection.disconnect(true);
  const status = await new Promise((resolve) => {
    for (const last of ['ready', 'end']) connection.once(last, () => resolve(last));
  });
  expect(status).toBe('ready');
});

test('a connection that is closed while it asks the sentinels stays closed', async () => {
  trustCertificate();
  const connection = openRedis(throughSentinel(), createLog('silent', 'test'), WAIT);
  expect(connection.status).toBe('connecting');
  connection.disconnect();
  await new Promise((resolve) => connection.once('end', resolve));
  expect(connection.status).toBe('end');
});
