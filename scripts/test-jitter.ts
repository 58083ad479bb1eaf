import { Socket } from 'node:net';

/**
 * For `npm test -- --jitter`: what goes over a socket is at times held back, as a busy machine or network does. The order within a connection
 * stays, that between connections is open: a test that assumes one of them to be first fails here.
 */

/** Of the writes to a socket: one in `every` waits for up to `upTo` milliseconds. */
const DELAYS = [
  { every: 40, upTo: 60 },
  { every: 800, upTo: 400 },
];

interface Writable {
  _writeGeneric(...args: unknown[]): void;
}
const sockets = Socket.prototype as unknown as Writable & { isDelayed?: true };
const write = sockets._writeGeneric;
// Tests replace it.
const wait = globalThis.setTimeout;

const delay = (): number => {
  const found = DELAYS.find(({ every }) => Math.random() * every < 1);
  return found ? Math.random() * found.upTo : 0;
};

if (!sockets.isDelayed) {
  sockets.isDelayed = true;
  sockets._writeGeneric = function (this: Writable, ...args) {
    const ms = delay();
    if (ms) wait(() => write.apply(this, args), ms);
    else write.apply(this, args);
  };
}
