import { EventEmitter } from 'node:events';
import { beforeEach, expect, it, vi } from 'vitest';

const socket = Object.assign(new EventEmitter(), {
  active: true,
  connected: true,
  deeds: [] as string[],
  onAny: () => undefined,
  off: () => socket.removeAllListeners(),
  connect: () => {
    socket.deeds.push('connect');
    Object.assign(socket, { active: true, connected: true });
  },
  disconnect: () => {
    socket.deeds.push('disconnect');
    Object.assign(socket, { active: false, connected: false });
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
  // One that was refused does not wait out its time, one that is on its way is left alone.
  Object.assign(socket, { active: false, connected: false });
  session.renew(jwt('third'));
  expect(socket.deeds.at(-1)).toBe('connect');
  socket.connected = false;
  session.renew(jwt('fourth'));
  session.start(jwt('another person'));
  expect(socket.deeds).toHaveLength(3);
  close();
  session.renew(jwt('fifth'));
  expect(socket.deeds.slice(3)).toEqual(['disconnect']);
}, 20_000);
