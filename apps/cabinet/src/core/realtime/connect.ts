import { MAX_PAGE_AGE_SECONDS, RESYNC, type EventBody } from '@heliograph/contract';
import { io, type Socket } from 'socket.io-client';
import { keysOf } from '../query-keys.ts';
import { queryClient } from '../query.ts';
import { session } from '../session/session.ts';
import { follow } from './follow.ts';
import { emitSocketEvent } from './socket-events.ts';
import { live } from './live.ts';
import { throttleByKey } from './throttle.ts';

const { resync, receive } = follow(queryClient);
const refetchBalance = throttleByKey(
  () => void queryClient.invalidateQueries({ queryKey: keysOf('billings').of('balance') }),
  1000,
);

function handleEvent(name: string, body: EventBody): void {
  const event = receive(name, body);
  if (event?.resource === 'billings') refetchBalance('balance');
  emitSocketEvent(name, body);
}

/** Opens the socket of the current session and returns how to close it. Loaded after the first paint. */
export function connect(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isFirst = true;
  let isTold = false;
  // socket.io reconnects after a lost connection, but not after the server refused or closed one.
  const retryRefused = (): void => {
    if (socket.active) return;
    clearTimeout(timer);
    timer = setTimeout(() => socket.connect(), 5000);
  };
  const socket: Socket = io({
    auth: (give) => {
      const pageAge = performance.now();
      isTold = isFirst && pageAge <= MAX_PAGE_AGE_SECONDS * 1000;
      give({ token: session.token(), ...(isTold && { pageAge }) });
    },
    // No polling first: several API processes then need no sticky balancer in front.
    transports: ['websocket'],
    reconnectionDelay: 1000,
    reconnectionDelayMax: 5000,
  });
  socket.on('connect', () => {
    live.set('on');
    // Of what has changed between the first fetches of a page and its connection, the server tells.
    if (!isTold) resync();
    isFirst = false;
  });
  socket.on('disconnect', (reason) => {
    if (reason === 'io client disconnect') return;
    live.set('waiting');
    // The session may have been ended elsewhere: the call finds it out at once.
    if (reason === 'io server disconnect')
      void queryClient.invalidateQueries({ queryKey: keysOf('settings').all });
    retryRefused();
  });
  socket.on('connect_error', () => {
    live.set('waiting');
    retryRefused();
  });
  // The server closes the socket of a renewed token, so a socket with the new token is opened at once.
  let { token } = session.get();
  const { identity } = session.get();
  const unfollow = session.subscribe(() => {
    const now = session.get();
    // Another user loads another page.
    if (now.token === token || now.identity !== identity) return;
    token = now.token;
    if (socket.connected) socket.disconnect();
    clearTimeout(timer);
    // A socket that is connecting reads the token itself.
    if (!socket.active) socket.connect();
  });
  socket.on(RESYNC, () => resync());
  socket.onAny(handleEvent);
  return () => {
    unfollow();
    socket.off();
    clearTimeout(timer);
    socket.disconnect();
    live.set('off');
  };
}
