import { expect, test } from 'vitest';
import { isOwnOrigin } from './handshake.ts';

const PUBLIC_URL = 'https://cabinet.example';
const host = '10.0.0.5:3000';

test.each([
  ['a program without an origin', undefined, true],
  ['the cabinet at its public address', 'https://cabinet.example', true],
  ['the cabinet at the address that was asked', `http://${host}`, true],
  ['another site', 'https://evil.example', false],
  ['a site whose name begins alike', 'https://cabinet.example.evil.example', false],
  ['the public address without TLS', 'http://cabinet.example', false],
  ['another port', 'https://cabinet.example:8443', false],
  ['a file or a sandboxed frame', 'null', false],
  ['no address', '::', false],
  ['nothing', '', false],
])('%s may open a socket: %s is %s', (_, origin, expected) => {
  const headers = { host, ...(origin !== undefined && { origin }) };
  expect(isOwnOrigin({ headers }, PUBLIC_URL)).toBe(expected);
});
