import { describe, expect, it } from 'vitest';
import { expiryOf, phaseOf, secondsLeft } from './session-time.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const encode = (body: object) =>
  btoa(JSON.stringify(body)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const token = (seconds: number) =>
  `${encode({ alg: 'HS256' })}.${encode({ exp: NOW / 1000 + seconds })}.signature`;

describe('phaseOf', () => {
  it.each([
    [token(3600), 'active'],
    [token(300), 'active'],
    [token(299), 'ending'],
    [token(1), 'ending'],
    [token(0), 'ended'],
    [token(-10), 'ended'],
    [null, 'none'],
    ['', 'none'],
  ])('%s', (value, phase) => {
    expect(phaseOf(value, NOW)).toBe(phase);
  });

  it('leaves a token whose end cannot be read to the server', () => {
    for (const odd of ['opaque', 'a.b.c', `x.${encode({ sub: 1 })}.y`, `x.${btoa('null')}.y`]) {
      expect(expiryOf(odd)).toBeNull();
      expect(phaseOf(odd, NOW)).toBe('active');
    }
  });

  it('counts whole seconds', () => {
    expect(secondsLeft(token(10), NOW + 1)).toBe(9);
  });
});
