import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../../../scripts/lib/build.mjs';
import { freePort } from '../../../scripts/lib/ports.mjs';
// @ts-expect-error plain modules of the launcher
import { chromium } from '../../../scripts/services.mjs';
import { ownDatabase, program, root, seed, sql } from './product.ts';

/** Starts the built product, an API process and a worker, on a new database with the demo world. */
export default async function setup(): Promise<() => Promise<void>> {
  const files = mkdtempSync(join(tmpdir(), 'heliograph-e2e-'));
  const processes: ChildProcess[] = [];
  await build(process.execPath);
  const database = await ownDatabase(`heliograph_e2e_${process.pid}`);
  const stop = async () => {
    for (const child of processes) child.kill('SIGTERM');
    await Promise.all(
      processes.map((c) => c.exitCode === null && new Promise((done) => c.once('exit', done))),
    );
    await database.drop();
    rmSync(files, { recursive: true, force: true });
  };
  try {
    const [port, smtp] = [await freePort(), await freePort()];
    const env = {
      ...process.env,
      DATABASE_URL: database.url,
      REDIS_URL: `${process.env.REDIS_URL!.replace(/\/\d*$/, '')}/15`,
      PORT: String(port),
      FILES_DIR: files,
      CABINET_DIR: join(root, 'apps/cabinet/dist'),
      LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
      // All journeys sign in from one address.
      RATE_SCALE: '20',
      // Built-in services, and the simulated phone.
      DEMO: '1',
      // The carriers of journeys listen on this machine.
      CHANNEL_ALLOWED_HOSTS: '127.0.0.0/8',
      // So do the servers of customers. One that fails is paused after a second instead of a day.
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.0/8',
      WEBHOOK_PAUSE_SECONDS: '1',
      // All journeys come from one network.
      REGISTRATION_LIMIT: '100',
      CAPTCHA_AFTER: '100',
      MAIL_TRANSPORT: 'smtp',
      SMTP_URL: `smtp://127.0.0.1:${smtp}`,
      MAIL_FROM: 'Heliograph <noreply@heliograph.example>',
      SUPPORT_EMAIL: 'support@heliograph.example',
      SUPPORT_PHONE: '+7 495 000-00-00',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
    };
    await seed(env);
    await sql(
      new URL(database.url),
      `update channels set options = options || '{"expiresAfter": 8}' where name = 'simulator'`,
    );
    for (const file of ['main.js', 'worker.js']) {
      processes.push(
        spawn(process.execPath, [program(file)], {
          env,
          cwd: root,
          stdio: ['ignore', 'inherit', 'inherit'],
        }),
      );
    }
    process.env.E2E_URL = `http://127.0.0.1:${port}`;
    // The journey that reads e-mails starts the SMTP sink.
    process.env.E2E_SMTP_PORT = String(smtp);
    process.env.E2E_DATABASE_URL = database.url;
    process.env.E2E_CHROMIUM = await chromium();
    await ready(`${process.env.E2E_URL}/api/health/ready`);
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

async function ready(url: string): Promise<void> {
  for (let i = 0; i < 600; i++) {
    if ((await fetch(url).catch(() => null))?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the product did not become ready');
}
