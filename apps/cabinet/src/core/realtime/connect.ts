import { RESYNC, type EventBody } from '@heliograph/contract';
import { io, type Socket } from 'socket.io-client';
import { BALANCE_KEY } from '../account.ts';
import { queryClient } from '../query.ts';
import { session } from '../session/session.ts';
import { applyEvent, parseEvent } from './apply-event.ts';
import { heard } from './hear.ts';
import { live } from './live.ts';
import { throttleByKey } from './throttle.ts';

const refetch = throttleByKey(
  (resource) => void queryClient.invalidateQueries({ queryKey: [resource] }),
  2000,
);
const refetchBalance = throttleByKey(
  () => void queryClient.invalidateQueries({ queryKey: BALANCE_KEY }),
  1000,
);

/** Events may have been missed: what is on the screen is asked for again. */
function resync(): void {
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'settings' });
}

function receive(name: string, body: EventBody): void {
  const event = parseEvent(name);
  if (!event || !body) return;
  if (event.resource === 'billings') refetchBalance('balance');
  // An answer that is on its way may be older than the event, and would undo it.
  const isAsked = queryClient.isFetching({ queryKey: [event.resource] }) > 0;
  if (applyEvent(queryClient, event, body, Date.now()) || isAsked) refetch(event.resource);
  heard(name, body);
}

/** Opens the socket of the present session; answers how to close it. Loaded after the first paint. */
export function connect(): () => void {
  let lost = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
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
    if (lost) resync();
    lost = false;
  });
  socket.on('disconnect', () => {
    lost = true;
    live.set('waiting');
    retryRefused();
  });
  socket.on('connect_error', () => {
    live.set('waiting');
    retryRefused();
  });
  socket.on(RESYNC, resync);
  socket.onAny(receive);
  return () => {
    socket.off();
    clearTimeout(timer);
    socket.disconnect();
    live.set('off');
  };
}
