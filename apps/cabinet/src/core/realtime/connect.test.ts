import { EventEmitter } from 'node:events';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';

afterAll(() => vi.resetModules());

const socket = Object.assign(new EventEmitter(), {
  active: true,
  connected: true,
  calls: [] as string[],
  onAny: () => undefined,
  off: () => socket.removeAllListeners(),
  connect: () => {
    socket.calls.push('connect');
    Object.assign(socket, { active: true, connected: true });
  },
  disconnect: () => {
    socket.calls.push('disconnect');
    Object.assign(socket, { active: false, connected: false });
    socket.emit('disconnect', 'io client disconnect');
  },
});
let give: (to: (auth: { pageAge?: number }) => void) => void;
vi.mock('socket.io-client', () => ({
  io: (options: { auth: typeof give }) => {
    give = options.auth;
    return socket;
  },
}));
/** A connection, with the age that the socket gave for it, in seconds. */
function established(): number | undefined {
  let given: { pageAge?: number };
  give((auth) => (given = auth));
  socket.emit('connect');
  return given!.pageAge && given!.pageAge / 1000;
}

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

it('reconnects at once with a renewed session and shows no connection loss', async () => {
  const { session } = await import('../session/session.ts');
  const { connect } = await import('./connect.ts');
  const { live } = await import('./live.ts');
  session.start(jwt('first'));
  const close = connect();
  socket.emit('connect');
  session.renew(jwt('first'));
  expect(socket.calls).toEqual([]);
  session.renew(jwt('second'));
  expect(socket.calls).toEqual(['disconnect', 'connect']);
  expect(live.get()).toBe('on');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(socket.calls).toEqual(['disconnect', 'connect']);
  // After a refusal the socket connects at once; one that is connecting is left alone.
  Object.assign(socket, { active: false, connected: false });
  session.renew(jwt('third'));
  expect(socket.calls.at(-1)).toBe('connect');
  socket.connected = false;
  session.renew(jwt('fourth'));
  session.start(jwt('another person'));
  expect(socket.calls).toHaveLength(3);
  close();
  session.renew(jwt('fifth'));
  expect(socket.calls.slice(3)).toEqual(['disconnect']);
}, 20_000);

it('a page gives its age and fetches again only when told; an old one, and after every other connection, by itself', async () => {
  const { session } = await import('../session/session.ts');
  const { connect } = await import('./connect.ts');
  const { queryClient } = await import('../query.ts');
  const invalidate = vi.spyOn(queryClient, 'invalidateQueries').mockResolvedValue();
  session.start(jwt('first'));
  const age = vi.spyOn(performance, 'now').mockReturnValue(7000);
  let close = connect();
  expect(established()).toBe(7);
  expect(invalidate).not.toHaveBeenCalled();
  socket.emit('resync');
  expect(invalidate).toHaveBeenCalledTimes(1);
  expect(established()).toBeUndefined();
  expect(invalidate).toHaveBeenCalledTimes(2);
  close();
  age.mockReturnValue(61_000);
  close = connect();
  expect(established()).toBeUndefined();
  expect(invalidate).toHaveBeenCalledTimes(3);
  close();
  vi.restoreAllMocks();
});
