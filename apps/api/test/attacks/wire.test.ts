import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Target } from './target.ts';

let target: Target;
beforeAll(async () => {
  target = await Target.start();
});
afterAll(() => target.stop());

/** Sends raw bytes and returns the answer until the server closes or is silent. */
function talk(bytes: string | Buffer, quietMs = 400): Promise<string> {
  const { hostname, port } = new URL(target.base);
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setTimeout(quietMs, () => socket.destroy());
    socket.on('data', (data) => (heard += data.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(heard));
  });
}

const HOST = 'Host: 127.0.0.1\r\n';
const post = (headers: string, body = '') =>
  `POST /api/login HTTP/1.1\r\n${HOST}${headers}\r\n${body}`;
const GARBAGE: [name: string, bytes: string | Buffer][] = [
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['a TLS greeting', Buffer.from('16030100a5010000a10303', 'hex')],
  [
    'bytes without order',
    Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 197 + 31) % 256)),
  ],
  ['an unknown method', `FOO / HTTP/1.1\r\n${HOST}\r\n`],
  ['a version of tomorrow', `GET / HTTP/9.9\r\n${HOST}\r\n`],
  ['no host', 'GET /api/health HTTP/1.1\r\n\r\n'],
  ['two hosts', `GET /api/health HTTP/1.1\r\n${HOST}Host: evil.example\r\n\r\n`],
  ['a header without a colon', `GET /api/health HTTP/1.1\r\n${HOST}nonsense\r\n\r\n`],
  ['a header of 100 kB', `GET /api/health HTTP/1.1\r\n${HOST}X: ${'a'.repeat(100_000)}\r\n\r\n`],
  ['a thousand headers', `GET /api/health HTTP/1.1\r\n${HOST}${'X-A: 1\r\n'.repeat(3000)}\r\n`],
  ['an address of 100 kB', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\n${HOST}\r\n`],
  ['two lengths', post('Content-Length: 2\r\nContent-Length: 3\r\n', '{}x')],
  ['a negative length', post('Content-Length: -1\r\n')],
  ['a length that is no number', post('Content-Length: abc\r\n')],
  ['a length beyond all', post('Content-Length: 99999999999999999999\r\n')],
  [
    'length and chunks at once',
    post(
      'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n',
      '0\r\n\r\nGET /api/users/me HTTP/1.1\r\n\r\n',
    ),
  ],
  ['chunks of another spelling', post('Transfer-Encoding: xchunked\r\n', '0\r\n\r\n')],
  [
    'a chunk with a wrong size',
    post(
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n',
      'zz\r\n{}\r\n0\r\n\r\n',
    ),
  ],
  [
    'a chunk with a long extension',
    post(
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n',
      `2;${'a'.repeat(50_000)}\r\n{}\r\n0\r\n\r\n`,
    ),
  ],
  [
    'a body that never comes',
    post('Content-Type: application/json\r\nContent-Length: 1000\r\n', '{'),
  ],
  ['a header that never ends', `GET /api/health HTTP/1.1\r\n${HOST}X: `],
  [
    'an upgrade to something else',
    `GET / HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n`,
  ],
  [
    'an upgrade with a wrong key',
    `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n\r\n`,
  ],
  [
    'an upgrade of another path',
    `GET /api/health HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  ],
  [
    'a frame without a mask',
    `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n\x81\x02hi`,
  ],
  [
    'a frame that announces 2^63 bytes',
    `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00`,
  ],
  ['CONNECT', `CONNECT evil.example:443 HTTP/1.1\r\n${HOST}\r\n`],
  ['an absolute address', `GET http://169.254.169.254/latest/meta-data HTTP/1.1\r\n${HOST}\r\n`],
  ['an asterisk', `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`],
  ['an expectation', post('Expect: 200-maybe\r\nContent-Length: 0\r\n')],
  ['a hundred requests at once', `GET /api/health HTTP/1.1\r\n${HOST}\r\n`.repeat(100)],
];
test.each(GARBAGE)('%s is survived', async (_, bytes) => {
  await target.attack(async () => {
    const heard = await talk(bytes);
    expect(heard).not.toMatch(/^HTTP\/1\.1 500/m);
    expect(heard).not.toMatch(/x-powered-by/i);
    expect(heard).not.toMatch(/evil\.example/);
    const { status } = await target.shoot('/api/health');
    expect(status).toBe(200);
  });
});

test('a smuggled request is not answered', async () => {
  await target.attack(async () => {
    const hidden = 'GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';
    const heard = await talk(
      post(
        'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nContent-Length: 6\r\n',
        `0\r\n\r\n${hidden}`,
      ),
    );
    expect(heard).not.toContain('"openapi"');
  });
});

const METHODS = ['TRACE', 'TRACK', 'PROPFIND', 'SEARCH', 'PURGE', 'LINK', 'OPTIONS', 'HEAD'];
test.each(METHODS)('%s discloses nothing', async (method) => {
  await target.attack(async () => {
    const heard = await talk(
      `${method} /api/users/me HTTP/1.1\r\n${HOST}Authorization: secret-of-mine\r\nConnection: close\r\n\r\n`,
    );
    expect(heard).not.toContain('secret-of-mine');
    expect(heard).not.toMatch(/^HTTP\/1\.1 (200|500)/m);
  });
});

test('two hundred silent connections do not block others', async () => {
  const { hostname, port } = new URL(target.base);
  const idle = Array.from({ length: 200 }, () =>
    connect(Number(port), hostname).on('error', () => undefined),
  );
  await target.attack(async () => {
    for (let i = 0; i < 20; i++) expect((await target.shoot('/api/health')).status).toBe(200);
  });
  for (const socket of idle) socket.destroy();
});
