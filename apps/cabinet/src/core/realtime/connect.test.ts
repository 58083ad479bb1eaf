import { EventEmitter } from 'node:events';
import { beforeEach, expect, it, vi } from 'vitest';

const socket = Object.assign(new EventEmitter(), {
  active: true,
  deeds: [] as string[],
  onAny: () => undefined,
  off: () => socket.removeAllListeners(),
  connect: () => void socket.deeds.push('connect'),
  disconnect: () => {
    socket.deeds.push('disconnect');
    socket.active = false;
    socket.emit('disconnect', 'io client disconnect');
  },
});
vi.mock('socket.io-client', () => ({ io: () => socket }));

const jwt = (name: string) => `x.${btoa(JSON.stringify({ sub: 'anna', name }))}.y`;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => undefined,
    removeItem: () => undefined,
  });
  vi.stubGlobal('addEventListener', () => undefined);
});

it('a renewed session has a socket of its own at once, and nobody is told of a loss', async () => {
  const { session } = await import('../session/session.ts');
  const { connect } = await import('./connect.ts');
  const { live } = await import('./live.ts');
  session.start(jwt('first'));
  const close = connect();
  socket.emit('connect');
  session.renew(jwt('first'));
  expect(socket.deeds).toEqual([]);
  session.renew(jwt('second'));
  expect(socket.deeds).toEqual(['disconnect', 'connect']);
  expect(live.get()).toBe('on');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(socket.deeds).toEqual(['disconnect', 'connect']);
  close();
  session.renew(jwt('third'));
  expect(socket.deeds).toEqual(['disconnect', 'connect', 'disconnect']);
}, 20_000);
