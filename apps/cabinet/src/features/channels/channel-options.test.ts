import type { ChannelOption } from '@heliograph/contract';
import { expect, it } from 'vitest';
import { isMoved, newSecret, toOptions, valuesOf } from './channel-options.ts';

const option = (name: string, kind: ChannelOption['kind'], more = {}): ChannelOption => ({
  name,
  kind,
  isSecret: false,
  isRequired: false,
  ...more,
});
const DEFS = [
  option('url', 'url', { isRequired: true }),
  option('secret', 'text', { isSecret: true }),
  option('timeoutMs', 'integer', { default: 15_000 }),
  option('deduplicates', 'boolean', { default: false }),
  option('sentDelay', 'range'),
];

it('a form shows the options of a channel and gives them back', () => {
  const options = {
    url: 'https://c.example/',
    timeoutMs: 900,
    deduplicates: true,
    sentDelay: [0, 5],
  };
  const values = valuesOf(DEFS, { options });
  expect(values).toEqual({
    url: 'https://c.example/',
    secret: '',
    timeoutMs: '900',
    deduplicates: true,
    sentDelay: '0 – 5',
  });
  expect(toOptions(DEFS, values)).toEqual(options);
  expect(
    toOptions(DEFS, { ...values, secret: ' s ', sentDelay: '1, 2', timeoutMs: 'soon' }),
  ).toEqual({ ...options, secret: 's', sentDelay: [1, 2], timeoutMs: 'soon' });
});

it('what is left empty is the driver’s to choose', () => {
  expect(toOptions(DEFS, valuesOf(DEFS))).toEqual({ deduplicates: false });
});

it('another address is noticed', () => {
  const channel = { options: { url: 'https://c.example/' } };
  const values = valuesOf(DEFS, channel);
  expect(isMoved(DEFS, values, channel)).toBe(false);
  expect(isMoved(DEFS, { ...values, timeoutMs: '5' }, channel)).toBe(false);
  expect(isMoved(DEFS, { ...values, url: 'https://d.example/' }, channel)).toBe(true);
});

it('a generated secret is one that the server takes', () => {
  expect(newSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
});
