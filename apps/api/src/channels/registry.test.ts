import { afterEach, describe, expect, it } from 'vitest';

import { InvalidOptions } from './channel.ts';
import { OpenChannels, openDriver } from './registry.ts';

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const url = 'http://127.0.0.1:9/messages';

function settings(driver: string, options: Record<string, unknown>) {
  return { name: 'main', driver, types: [], options };
}

describe('options', () => {
  it.each([
    ['fax', {}, 'driver: no driver is called fax'],
    ['toString', {}, 'driver: no driver is called toString'],
    ['simulator', { profile: 'brisk' }, 'profile: '],
    ['simulator', { silent: 7 }, 'silent: '],
    ['simulator', { failed: 0.6, silent: 0.6 }, 'more than 1'],
    ['simulator', { seenDelay: [9, 1] }, 'seenDelay: '],
    ['simulator', { sillent: 0.1 }, 'sillent'],
    ['http', { secret }, 'url: '],
    ['http', { url: 'ftp://carrier', secret }, 'url: not an http or https address'],
    ['http', { url, secret: 'hunter2' }, 'secret: not whsec_'],
    ['http', { url, secret, timeoutMs: 1 }, 'timeoutMs: '],
    ['http', { url: 'x', secret: 'y' }, /url: .*; secret: /],
  ])('%s %j', (driver, options, message) => {
    const open = () => openDriver(settings(driver, options));
    expect(open).toThrow(InvalidOptions);
    expect(open).toThrow(message);
  });

  it('say whether repeats are dropped', () => {
    expect(openDriver(settings('simulator', {})).dropsRepeats).toBe(true);
    expect(openDriver(settings('http', { url, secret })).dropsRepeats).toBe(false);
    expect(openDriver(settings('http', { url, secret, dropsRepeats: true })).dropsRepeats).toBe(
      true,
    );
  });
});

describe('open channels', () => {
  const channels = new OpenChannels();
  afterEach(() => channels.close());

  it('stay open until their options change', () => {
    const first = channels.open(settings('http', { url, secret }));
    expect(channels.open(settings('http', { url, secret }))).toBe(first);
    const changed = channels.open(settings('http', { url, secret, maxBatch: 7 }));
    expect(changed).not.toBe(first);
    expect(changed.maxBatch).toBe(7);
  });
});
