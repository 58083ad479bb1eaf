import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Person } from '../world.ts';
import { Target } from './target.ts';

let target: Target;
let person: Person;
beforeAll(async () => {
  target = await Target.start();
  person = await target.person();
});
afterAll(() => target.stop());

/** A WebSocket below socket.io, which sends packets that no client sends. */
async function open(): Promise<{ socket: WebSocket; closed: Promise<void> }> {
  const socket = new WebSocket(
    `${target.base.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`,
  );
  onTestFinished(() => socket.close());
  const closed = new Promise<void>((resolve) => {
    socket.addEventListener('close', () => resolve());
    socket.addEventListener('error', () => resolve());
  });
  await new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }));
  return { socket, closed };
}

/** An answer proves that the packets before it were read. */
async function isUp(): Promise<void> {
  const { status } = await target.shoot('/api/users/me', { token: person.token });
  expect(status).toBe(200);
}

const deep = (n: number) => '['.repeat(n) + ']'.repeat(n);
const CONNECTS: [name: string, packet: string][] = [
  ['a number as token', '40{"token":1}'],
  ['null as token', '40{"token":null}'],
  ['true as token', '40{"token":true}'],
  ['an array as token', '40{"token":["a"]}'],
  ['an object as token', '40{"token":{"replace":1}}'],
  ['an object that has trim', '40{"token":{"trim":"x","replace":"y","length":-1}}'],
  ['no auth', '40'],
  ['auth that is an array', '40[]'],
  ['auth that is a number', '401'],
  ['auth that is a text', '40"token"'],
  ['auth that is null', '40null'],
  ['half a JSON', '40{"token":'],
  ['the prototype as auth', '40{"__proto__":{"token":"x"},"constructor":1}'],
  ['a long token', `40{"token":"${'x'.repeat(100_000)}"}`],
  ['a token of dots', `40{"token":"${'.'.repeat(50_000)}"}`],
  ['a token of spaces', `40{"token":"Bearer${' '.repeat(50_000)}"}`],
  ['a token with a NUL', '40{"token":"a\\u0000b"}'],
  ['deep auth', `40{"token":${deep(10_000)}}`],
  ['another namespace', '40/admin,{"token":"x"}'],
  ['a namespace of the prototype', '40/__proto__,{}'],
  ['a long namespace', `40/${'a'.repeat(10_000)},{}`],
];
test.each(CONNECTS)('a first packet with %s ends no process', async (_, packet) => {
  await target.attack(async () => {
    const { socket } = await open();
    socket.send(packet);
    await isUp();
  });
});

const FRAMES: [name: string, packet: string | Uint8Array][] = [
  ['an event', '42["sendings.updated",{}]'],
  ['an event with the name of a listener', '42["disconnect"]'],
  ['an event of the engine', '42["connect_error",1]'],
  ['an event named error', '42["error",{"message":1}]'],
  ['an event whose name is a number', '42[1,2]'],
  ['an event whose name is an object', '42[{"a":1}]'],
  ['an event without a name', '42[]'],
  ['an event that is no array', '42{"a":1}'],
  ['an event with an acknowledgement', '421["x",1]'],
  ['an unexpected acknowledgement', '43999[1]'],
  ['an acknowledgement of a large number', '4399999999999999999999[1]'],
  ['a binary event whose parts never come', '451-["x",{"_placeholder":true,"num":0}]'],
  ['a binary event with a million parts', '451000000-["x",{"_placeholder":true,"num":0}]'],
  ['a binary event with a negative part', '451-["x",{"_placeholder":true,"num":-1}]'],
  ['an unannounced attachment', new Uint8Array(1000)],
  ['an unknown packet', '49'],
  ['an unknown frame', '9'],
  ['an empty frame', ''],
  ['a connect error from outside', '44{"message":"x"}'],
  ['a second connect', '40{"token":1}'],
  ['a thousand connects', '40/a,{}'],
  ['deep JSON', `42["x",${deep(20_000)}]`],
  ['half a megabyte', `42["x","${'a'.repeat(500_000)}"]`],
  ['a close', '41'],
  ['a ping from outside', '2probe'],
  ['an upgrade out of turn', '5'],
];
test.each(FRAMES)('%s with and without a session ends no process', async (_, packet) => {
  await target.attack(async () => {
    for (const auth of ['40{}', `40${JSON.stringify({ token: person.token })}`]) {
      const { socket } = await open();
      socket.send(auth);
      for (let i = 0; i < 20; i++) if (socket.readyState === WebSocket.OPEN) socket.send(packet);
    }
    await isUp();
  });
});

test('a packet over the limit ends its connection, not the process', async () => {
  await target.attack(async () => {
    const { socket, closed } = await open();
    socket.send(`40{"token":"${'x'.repeat(2_000_000)}"}`);
    await closed;
    await isUp();
  });
});

test('a socket receives no events before it is authenticated', async () => {
  await target.attack(async () => {
    const { socket } = await open();
    const heard: unknown[] = [];
    socket.addEventListener('message', ({ data }) => heard.push(data));
    await target.shoot('/api/telemetry', { token: person.token, body: {} });
    await isUp();
    expect(heard.filter((data) => String(data).startsWith('42'))).toEqual([]);
  });
});

describe('sockets of a user who signs out', () => {
  test.each(['this session', 'every session'])(
    'the socket is disconnected at once: %s',
    async (which) => {
      const who = await target.person();
      const socket: Socket = io(target.base, {
        auth: { token: who.token },
        transports: ['websocket'],
        reconnection: false,
      });
      onTestFinished(() => void socket.disconnect());
      await new Promise((resolve, reject) =>
        socket.once('connect', () => resolve(undefined)).once('connect_error', reject),
      );
      const cut = new Promise((resolve) => socket.once('disconnect', resolve));
      await target.shoot('/api/logout', {
        token: who.token,
        body: { everywhere: which === 'every session' },
      });
      expect(await cut).toBe('io server disconnect');
    },
  );
});

test('sockets by polling have the same checks', async () => {
  await target.attack(async () => {
    for (const query of [
      'EIO=4',
      'EIO=3',
      'EIO=x',
      '',
      'sid=__proto__',
      `sid=${'a'.repeat(3000)}`,
      'EIO=4&j=0;alert(1)',
      'EIO=4&b64=1',
    ]) {
      const reply = await fetch(`${target.base}/socket.io/?transport=polling&${query}`, {
        signal: AbortSignal.timeout(5000),
      });
      expect(reply.status).toBeLessThan(500);
      await reply.text();
    }
    const first = await fetch(`${target.base}/socket.io/?transport=polling&EIO=4`).then((r) =>
      r.text(),
    );
    const { sid } = JSON.parse(first.slice(1)) as { sid: string };
    for (const body of [
      '40{"token":1}',
      `40${deep(20_000)}`,
      '\u001e'.repeat(10_000),
      '4'.repeat(10_000),
      'x'.repeat(2_000_000),
    ]) {
      await fetch(`${target.base}/socket.io/?transport=polling&EIO=4&sid=${sid}`, {
        method: 'POST',
        body,
        signal: AbortSignal.timeout(5000),
      }).catch(() => undefined);
    }
    await isUp();
  });
});

test('a hundred sockets without a session have no effect', async () => {
  await target.attack(async () => {
    const all = await Promise.all(Array.from({ length: 100 }, () => open().catch(() => null)));
    await isUp();
    for (const one of all) one?.socket.close();
  });
});

test('there was no uncaught error', async () => {
  expect(await target.metric('heliograph_uncaught')).toBe(0);
});
