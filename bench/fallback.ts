import { bulk, instantCarrier } from './bulk.ts';
import { channel, dropChannel, INSTANT, type Product } from './product.ts';
import { COUNT, inTurn, say, type Bench } from './rows.ts';

const FALLBACKS = {
  fallbacks: [
    {
      type: 'sms',
      payload: { sender: 'MIRTEA', text: 'Hello {firstName|friend}, your order is ready' },
      options: { onStatus: ['failed'], onTimeout: { timeout: 1, except: ['delivered'] } },
    },
  ],
};

/** Of a bulk a third fails and a tenth is never reported; both go on by the other channel. */
async function withFallbacks(product: Product, count = COUNT): Promise<number> {
  await channel(product, 'falling', 'simulator', ['viber'], {
    ...INSTANT,
    failed: 1 / 3,
    silent: 0.1,
    // What is never reported expires long after, as with a real carrier.
    expiresAfter: 86_400,
  });
  const { perSecond } = await bulk(product, count, FALLBACKS);
  await dropChannel(product, 'falling');
  return perSecond;
}

export const fallbackBench: Bench = {
  async run(product) {
    await instantCarrier(product);
    await withFallbacks(product, 5000);
    await bulk(product, 5000);
    const speed = await inTurn({
      ours: () => withFallbacks(product),
      plain: async () => (await bulk(product, COUNT)).perSecond,
    });
    await product.verify();
    return [
      {
        bench: 'fallback',
        figure: `${say(speed.ours)} recipients/s`,
        reference: `${say(speed.plain)}/s without fallbacks`,
        score: speed.ours / speed.plain,
        accept: 0.5,
        aim: 0.7,
      },
    ];
  },
};
