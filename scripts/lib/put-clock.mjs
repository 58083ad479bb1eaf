// `node --import THIS`, with the file of `CLOCK_FILE`: the clock of the process differs from that of the machine by the seconds in the file, which may change at any time. Measured time (`performance.now()`, timers) goes on, as on a machine whose clock is put.
import { readFileSync } from 'node:fs';

const LOOK_MS = 50;
const { Date: Right } = globalThis;
let aheadMs = 0;

function look() {
  try {
    aheadMs = 1000 * (Number(readFileSync(process.env.CLOCK_FILE, 'utf8')) || 0);
  } catch {
    aheadMs = 0; // no file: nobody has put it
  }
}

const now = () => Right.now() + aheadMs;
globalThis.Date = new Proxy(Right, {
  construct: (target, args, as) => Reflect.construct(target, args.length ? args : [now()], as),
  apply: () => new Right(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});

if (process.env.CLOCK_FILE) {
  look();
  setInterval(look, LOOK_MS).unref();
}
