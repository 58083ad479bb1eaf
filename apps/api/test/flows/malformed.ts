import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

/** Handshakes of a socket.io client whose `auth` is not what a client sends. */
export const HANDSHAKES = [
  ...['1', '0', 'true', 'null', '[]', '{}', '["x"]', '""', '"x"', `"${'x'.repeat(5000)}"`].map(
    (token) => `40{"token":${token}}`,
  ),
  '40{"token":{"length":1,"replace":1,"trim":1}}',
  '40{"token":"Bearer"}',
  '40{"token":"a.b.c"}',
  `40{"token":"${'eyJhbGciOiJub25lIn0'}.e30."}`,
  '40{"__proto__":{"token":"x"}}',
  '40{"constructor":{"prototype":{"token":1}}}',
  '40{"pid":1,"offset":[]}',
  `40{"token":${nested(3000)}}`,
  '40',
  '40[]',
  '40null',
  '40"x"',
  '401',
  '40{',
  '40/admin,{"token":"x"}',
  '40/__proto__,',
  '40/constructor,{}',
  `40/${'n'.repeat(5000)},`,
  '40/,{"token":1}',
];

/** Packets at the two layers of the protocol; a `Buffer` is sent as a binary frame. */
export const PACKETS: (string | Buffer)[] = [
  '',
  '0{}',
  '1',
  '2probe',
  '3probe',
  '4',
  '5',
  '6',
  '7',
  'b',
  'bAAAA',
  '41',
  '42',
  '42[]',
  '42{}',
  '42[1]',
  '42[null]',
  '42["x"',
  '42["x"]',
  '42["error"]',
  '42["error",{"message":1}]',
  '42["disconnect"]',
  '42["disconnecting"]',
  '42["connect"]',
  '42["newListener"]',
  '42["__proto__"]',
  '42["constructor",{"__proto__":{"polluted":true}}]',
  '420["ack me"]',
  '4299999999999999999999["ack me"]',
  '43',
  '43[]',
  '4377[]',
  '44',
  '44{"message":"x"}',
  '45["x"]',
  '450-["x"]',
  '45999-["x"]',
  '451-["x",{"_placeholder":true,"num":0}]',
  '451-["x",{"_placeholder":true,"num":-1}]',
  '451-["x",{"_placeholder":true,"num":"__proto__"}]',
  '461-1[{"_placeholder":true,"num":9}]',
  '48',
  '4x',
  `42["deep",${nested(4000)}]`,
  `42["long","${'x'.repeat(20_000)}"]`,
  '\u0000',
  '\ud83d',
  Buffer.alloc(0),
  Buffer.from([0, 1, 2, 255]),
  randomBytes(5000),
  Buffer.alloc(2_000_000),
];

const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';
const upgrade = (path: string, more = '', key = KEY) =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n` +
  `sec-websocket-version: 13\r\nsec-websocket-key: ${key}\r\n${more}\r\n`;
const SOCKET = '/socket.io/?EIO=4&transport=websocket';
/** A frame of its first two bytes and the rest, unmasked if the second byte says so. */
const frame = (...bytes: number[]) =>
  Buffer.concat([Buffer.from(upgrade(SOCKET)), Buffer.from(bytes)]);

/** Bytes on a TCP connection, from no HTTP at all to frames of WebSocket that no client sends. */
export const BYTES: (string | Buffer)[] = [
  randomBytes(400),
  Buffer.from('16030100a5010000a10303', 'hex'),
  '\r\n\r\n\r\n',
  'GET\r\n\r\n',
  'GET / HTTP/9.9\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n',
  'TRACE / HTTP/1.1\r\nhost: x\r\n\r\n',
  'GET / HTTP/1.1\r\n\r\n',
  'GET /% HTTP/1.1\r\nhost: x\r\n\r\n',
  'GET /api/%ff%00 HTTP/1.1\r\nhost: x\r\n\r\n',
  'GET /../../etc/passwd HTTP/1.1\r\nhost: x\r\n\r\n',
  'GET /api//users//../login HTTP/1.1\r\nhost: x\r\n\r\n',
  'GET http://[::1 HTTP/1.1\r\nhost: x\r\n\r\n',
  'GET //evil.example/assets HTTP/1.1\r\nhost: x\r\n\r\n',
  `GET /?${'a[b]='.repeat(2500)} HTTP/1.1\r\nhost: x\r\n\r\n`,
  `GET /api/health HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
  'POST /api/login HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n{}',
  'POST /api/login HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n{}',
  'POST /api/login HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n{}\r\n',
  'POST /api/login HTTP/1.1\r\nhost: x\r\ntransfer-encoding: gzip\r\n\r\n{}',
  'POST /api/login HTTP/1.1\r\nhost: x\r\nexpect: 200-maybe\r\ncontent-length: 2\r\n\r\n{}',
  'POST /api/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"user',
  'GET /api/health HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ,,::,\u0001\r\n\r\n',
  upgrade('/api/health'),
  upgrade('/elsewhere'),
  upgrade('/socket.io/'),
  upgrade(SOCKET, '', 'short'),
  upgrade(SOCKET, 'sec-websocket-extensions: permessage-deflate; server_max_window_bits=99\r\n'),
  upgrade('/socket.io/?EIO=3&transport=websocket'),
  upgrade('/socket.io/?EIO=4&transport=__proto__'),
  upgrade('/socket.io/?EIO=4&transport=websocket&sid=__proto__'),
  upgrade('/socket.io/?EIO=4&transport=websocket&sid=constructor&EIO=4'),
  upgrade('/socket.io/%?EIO=4&transport=polling'),
  'GET /socket.io/?EIO=4&transport=constructor HTTP/1.1\r\nhost: x\r\n\r\n',
  'GET /socket.io/?EIO=4&transport=polling&j=__proto__ HTTP/1.1\r\nhost: x\r\n\r\n',
  'POST /socket.io/?EIO=4&transport=polling HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n40',
  'PUT /socket.io/?EIO=4&transport=polling&sid=x HTTP/1.1\r\nhost: x\r\n\r\n',
  frame(0x81, 0x02, 0x34, 0x30), // not masked
  frame(0xf1, 0x80, 0, 0, 0, 0), // reserved bits
  frame(0x83, 0x80, 0, 0, 0, 0), // an opcode that is not there
  frame(0x80, 0x80, 0, 0, 0, 0), // a continuation of nothing
  frame(0x89, 0xfe, 0x01, 0x00, 0, 0, 0, 0), // a control frame too long
  frame(0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28), // no UTF-8
  frame(0x88, 0x82, 0, 0, 0, 0, 0x00, 0x01), // a close code that is not there
  frame(0x82, 0xff, 0x7f, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0), // nine exabytes
];

/** What is published to the channels of the socket.io adapter: JSON, MessagePack of other shapes, random bytes. */
export const MESSAGES: Buffer[] = [
  ...['', 'x', 'null', '[]', '{}', '{"type":99}', '{"uid":1,"type":6}', '{"requestId":"x"}'].map(
    (t) => Buffer.from(t),
  ),
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((type) => Buffer.from(`{"type":${type},"requestId":"r"}`)),
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((type) =>
    Buffer.from(`{"type":${type},"requestId":"r","opts":1,"rooms":1,"sid":1,"data":1,"packet":1}`),
  ),
  Buffer.from('c0', 'hex'), // nil
  Buffer.from('93a178c0c0', 'hex'), // ["x", nil, nil]
  Buffer.from('93a17880c0', 'hex'), // ["x", {}, nil]
  Buffer.from('93a1788280a36e7370a12f', 'hex'), // cut off
  Buffer.from('93a17881a36e7370a12f80', 'hex'), // ["x", {nsp: "/"}, {}]
  randomBytes(300),
];

/** Jobs that no process of ours enqueues. */
export const JOBS: [name: string, data: unknown][] = [
  ['sendings.dispatch', null],
  ['sendings.dispatch', 'x'],
  ['sendings.dispatch', [1]],
  ['sendings.poll', { __proto__: null, constructor: 1 }],
  ['task.expand', {}],
  ['task.expand', { taskId: 1 }],
  ['task.expand', { taskId: "'; drop table users" }],
  ['task.drop', { taskId: null }],
  ['constructor', {}],
  ['__proto__', {}],
  ['nothing.here', { taskId: '00000000-0000-0000-0000-000000000000' }],
];

/** Bodies with a valid signature for `statuses` and `incoming`. */
export const REPORTS: string[] = [
  '',
  '{',
  'null',
  '[]',
  '"x"',
  '{}',
  '{"statuses":null}',
  '{"statuses":{}}',
  '{"statuses":[null,1,"x",[],{}]}',
  '{"statuses":[{"reference":1,"status":"sent"}]}',
  '{"statuses":[{"reference":"x","status":"lost"}]}',
  '{"statuses":[{"reference":"x","status":"sent","at":"soon"}]}',
  '{"statuses":[{"reference":"\\u0000","status":"sent"}]}',
  '{"statuses":[{"externalId":"\\ud83d","status":"sent"}]}',
  '{"statuses":[{"__proto__":{"status":"sent"},"reference":"x"}]}',
  `{"statuses":${nested(15_000)}}`,
  '{"from":1,"to":2,"type":3,"payload":4}',
  '{"from":"+79161234567","to":"x","type":"sms","payload":[]}',
  '{"from":"+79161234567","to":"x","type":"constructor","payload":{"text":{}}}',
];

/** Writes bytes, then resets the connection (as a network failure does) or closes it (as a peer does). */
export function throwAt(
  port: number,
  bytes: string | Buffer,
  end: 'reset' | 'close',
): Promise<void> {
  return new Promise((resolve) => {
    const socket: Socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes, () =>
        setTimeout(() => (end === 'reset' ? socket.resetAndDestroy() : socket.end()), 30),
      );
    });
    socket.on('error', () => undefined).resume();
    const gone = setTimeout(() => socket.destroy(), 1500);
    socket.once('close', () => {
      clearTimeout(gone);
      resolve();
    });
  });
}

/** Sends packets over one WebSocket until the server closes it. */
export function say(base: string, packets: (string | Buffer)[]): Promise<void> {
  return new Promise((resolve) => {
    const socket = new WebSocket(
      `${base.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`,
    );
    const end = () => {
      clearTimeout(gone);
      resolve();
    };
    const gone = setTimeout(() => socket.close(), 300);
    socket.addEventListener('open', () => {
      for (const packet of packets) socket.send(packet as string);
    });
    socket.addEventListener('close', end);
    socket.addEventListener('error', end);
  });
}
