import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { bulk, instantCarrier } from './bulk.ts';
import { channel, dropChannel, freePort, INSTANT, root, type Product } from './product.ts';
import { COUNT, inTurn, say, type Bench } from './rows.ts';

export const SECRET = 'whsec_c2ltdWxhdGVkLWNhcnJpZXItc2VjcmV0LTAx';
const NAME = 'carrier';

/** `apps/simulator` in a process of its own, which takes signed batches and posts signed reports. */
async function startSimulator(product: Product, folder: string): Promise<string> {
  const url = `http://127.0.0.1:${await freePort()}`;
  product.spawn('simulator', join(root, 'apps/simulator/src/main.ts'), {
    PORT: new URL(url).port,
    SECRET,
    CALLBACK_URL: `${product.base}/channels/${NAME}/statuses`,
    LOG_FILE: join(folder, 'simulator.log'),
  });
  for (let i = 0; i < 100; i++) {
    const profile = await fetch(`${url}/profile`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(INSTANT),
    }).catch(() => null);
    if (profile?.ok) return url;
    await sleep(100);
  }
  throw new Error('the simulated carrier did not become ready');
}

async function overHttp(product: Product, url: string, count = COUNT): Promise<number> {
  await channel(product, NAME, 'http', ['viber'], {
    url: `${url}/messages`,
    secret: SECRET,
    deduplicates: true,
  });
  const { perSecond } = await bulk(product, count);
  await dropChannel(product, NAME);
  return perSecond;
}

export const carrierBench: Bench = {
  async run(product) {
    const folder = mkdtempSync(join(tmpdir(), 'heliograph-carrier-'));
    try {
      const url = await startSimulator(product, folder);
      await instantCarrier(product);
      await overHttp(product, url, 5000);
      await bulk(product, 5000);
      const speed = await inTurn({
        ours: () => overHttp(product, url),
        plain: async () => (await bulk(product, COUNT)).perSecond,
      });
      await product.verify();
      return [
        {
          bench: 'carrier',
          figure: `${say(speed.ours)} recipients/s`,
          reference: `${say(speed.plain)}/s built-in carrier`,
          score: speed.ours / speed.plain,
          accept: 0.3,
          aim: 0.6,
        },
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
