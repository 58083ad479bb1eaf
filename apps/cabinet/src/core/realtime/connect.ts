import { RESYNC, type EventBody } from '@heliograph/contract';
import { io, type Socket } from 'socket.io-client';
import { keysOf } from '../query-keys.ts';
import { queryClient } from '../query.ts';
import { session } from '../session/session.ts';
import { follow } from './follow.ts';
import { heard } from './hear.ts';
import { live } from './live.ts';
import { throttleByKey } from './throttle.ts';

const { resync, receive } = follow(queryClient);
const refetchBalance = throttleByKey(
  () => void queryClient.invalidateQueries({ queryKey: keysOf('billings').of('balance') }),
  1000,
);

/** A page that loads and connects takes so long at the most where nothing is amiss. */
const JUST_NOW = 5000;

function tell(name: string, body: EventBody): void {
  const event = receive(name, body);
  if (event?.resource === 'billings') refetchBalance('balance');
  heard(name, body);
}

/** Opens the socket of the present session; answers how to close it. Loaded after the first paint. */
export function connect(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isFirst = true;
  // The client comes back by itself after a lost connection, but not after the server has refused or ended one.
  const retryRefused = (): void => {
    if (socket.active) return;
    clearTimeout(timer);
    timer = setTimeout(() => socket.connect(), 5000);
  };
  const socket: Socket = io({
    auth: (give) => give({ token: session.token() }),
    // No polling first: several API processes then need no sticky balancer in front.
    transports: ['websocket'],
    reconnectionDelay: 1000,
    reconnectionDelayMax: 5000,
  });
  socket.on('connect', () => {
    live.set('on');
    // Also the first time: the page was loaded before, and what happened since was told to nobody. What it has asked for
    // just now is not asked for twice.
    resync(isFirst ? JUST_NOW : 0);
    isFirst = false;
  });
  socket.on('disconnect', (reason) => {
    if (reason === 'io client disconnect') return;
    live.set('waiting');
    retryRefused();
  });
  socket.on('connect_error', () => {
    live.set('waiting');
    retryRefused();
  });
  // The server ends the socket of a token that was renewed: its successor begins at once.
  let { token } = session.get();
  const { identity } = session.get();
  const unfollow = session.subscribe(() => {
    const now = session.get();
    // Another person begins with another page.
    if (now.token === token || now.identity !== identity) return;
    token = now.token;
    if (socket.connected) socket.disconnect();
    clearTimeout(timer);
    // One that is on its way asks for the token itself.
    if (!socket.active) socket.connect();
  });
  socket.on(RESYNC, resync);
  socket.onAny(tell);
  return () => {
    unfollow();
    socket.off();
    clearTimeout(timer);
    socket.disconnect();
    live.set('off');
  };
}
