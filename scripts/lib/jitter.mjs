import { Socket } from 'node:net';

// Loaded into all processes of `npm test -- --jitter`, those that tests start included: what goes over a TCP connection is at times held back, on
// its way out or in, as a busy machine or network does. The order within a connection stays, that between connections is open: a test that
// assumes one of them to be first fails here.

/** Of the writes and reads of a connection: one in `every` waits for up to `upTo` milliseconds. */
const DELAYS = [
  { every: 30, upTo: 60 },
  { every: 800, upTo: 400 },
];
// Tests replace them.
const { random } = Math;
const wait = globalThis.setTimeout;

function delayOf(socket) {
  const found = socket.remotePort && DELAYS.find(({ every }) => random() * every < 1);
  return found ? random() * found.upTo : 0;
}

// A stream gives out the next only after the callback of the one before.
for (const method of ['_write', '_writev']) {
  const write = Socket.prototype[method];
  Socket.prototype[method] = function (...args) {
    const ms = delayOf(this);
    if (ms) wait(() => write.apply(this, args), ms);
    else write.apply(this, args);
  };
}

/** By socket: what it has read and not given out yet. */
const held = new WeakMap();
const { push } = Socket.prototype;
Socket.prototype.push = function (...args) {
  const before = held.get(this);
  if (before) return before.push(args) > 0;
  const ms = delayOf(this);
  if (!ms) return push.apply(this, args);
  const read = [args];
  held.set(this, read);
  wait(() => {
    held.delete(this);
    for (const next of read) if (!this.destroyed) push.apply(this, next);
    // As Node does after an end.
    if (read.at(-1)[0] === null && !this.destroyed) this.read(0);
  }, ms);
  return true;
};
