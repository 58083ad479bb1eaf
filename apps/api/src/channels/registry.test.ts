import { afterEach, describe, expect, it } from 'vitest';

import { InvalidOptions } from './channel.ts';
import { Outbound } from '../core/http/outbound.ts';
import { describeChannel, OpenChannels, openDriver as open } from './registry.ts';

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const url = 'http://127.0.0.1:9/messages';

const context = {
  outbound: new Outbound('127.0.0.0/8', 'CHANNEL_ALLOWED_HOSTS'),
  senders: { send: () => Promise.reject(new Error('no senders')) },
  inbox: () => ({ reports: () => Promise.resolve(), messages: () => Promise.resolve() }),
};

function settings(driver: string, options: Record<string, unknown>, revision = 1) {
  return { name: 'main', driver, options, revision };
}
const openDriver = (of: ReturnType<typeof settings>) => open(of, context);

describe('options', () => {
  it.each([
    ['fax', {}, 'driver: no driver is called fax'],
    ['toString', {}, 'driver: no driver is called toString'],
    ['simulator', { profile: 'brisk' }, 'profile: '],
    ['simulator', { silent: 7 }, 'silent: '],
    ['simulator', { failed: 0.6, silent: 0.6 }, 'must not exceed 1'],
    ['simulator', { seenDelay: [9, 1] }, 'seenDelay: '],
    ['simulator', { sillent: 0.1 }, 'sillent'],
    ['http', { secret }, 'url: '],
    ['http', { url: 'ftp://carrier', secret }, 'url: This is not an http or https address.'],
    ['http', { url, secret: 'hunter2' }, 'secret: A secret is whsec_'],
    ['http', { url, secret, timeoutMs: 1 }, 'timeoutMs: '],
    ['http', { url: 'x', secret: 'y' }, /url: .* secret: /],
  ])('%s %j', (driver, options, message) => {
    for (const use of [openDriver, describeChannel]) {
      const used = () => use(settings(driver, options));
      expect(used).toThrow(InvalidOptions);
      expect(used).toThrow(message);
    }
  });

  it.each([
    ['simulator', {}, { deduplicates: true, maxBatch: 1000, isQueried: true }],
    ['simulator', { latencyMs: 300 }, { concurrency: 16 }],
    ['http', { url, secret }, { deduplicates: false, concurrency: 4, isQueried: false }],
    [
      'http',
      { url, secret, deduplicates: true, connections: 9 },
      { deduplicates: true, concurrency: 9 },
    ],
    ['wapi', {}, { maxBatch: 50 }],
  ])('tell what holds without a connection: %s %j', (driver, options, facts) => {
    expect(describeChannel(settings(driver, options, 3))).toMatchObject({ ...facts, revision: 3 });
  });

  it('of the simulator tell when its messages expire', () => {
    const facts = describeChannel(settings('simulator', { expiresAfter: 7 }));
    expect(facts.expiresAfter!('sms')).toBe(7);
    expect(describeChannel(settings('http', { url, secret })).expiresAfter).toBeUndefined();
  });
});

describe('open channels', () => {
  const channels = new OpenChannels(context);
  afterEach(() => channels.close());

  it('stay open until their settings change', () => {
    const first = channels.open(settings('http', { url, secret }));
    expect(channels.open(settings('http', { url, secret }))).toBe(first);
    const changed = channels.open(settings('http', { url, secret, maxBatch: 7 }, 2));
    expect(changed).not.toBe(first);
    expect(changed).toMatchObject({ facts: { maxBatch: 7, revision: 2 } });
  });

  it('keep former settings open for all who ask about them, and close them when they rest', async () => {
    const former = settings('http', { url, secret });
    let loaded = 0;
    const load = () => {
      loaded++;
      return Promise.resolve(former);
    };
    const asked = await Promise.all([channels.openFormer(1, load), channels.openFormer(1, load)]);
    const again = await channels.openFormer(1, load);
    expect(new Set([...asked, again]).size).toBe(1);
    expect(loaded).toBe(2);
    const closed = new Promise((resolve) => {
      Object.assign(again!, { close: async () => resolve('closed') });
    });
    await channels.close();
    await expect(closed).resolves.toBe('closed');
  });

  it('hand the driver of replaced settings to who asks about them', async () => {
    const first = channels.open(settings('simulator', {}));
    channels.open(settings('simulator', { seed: 2 }, 2));
    const former = await channels.openFormer(1, () => Promise.reject(new Error('it is open')));
    expect(former).toBe(first);
    expect(await channels.openFormer(9, () => Promise.resolve(undefined))).toBeUndefined();
  });
});
