import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';
import { currentTime } from './time.ts';

/** Random bytes are requested in bulk: a system call for 16 bytes costs more than the rest of an id. */
const pool = new Uint8Array(4096);
let taken = pool.length;
function random16(): Uint8Array {
  if (taken === pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  return pool.subarray(taken, (taken += 16));
}

const last = { ms: 0, seq: 0 };

/** A UUIDv7. Ids of one millisecond are monotonic within the process. */
export function uuidv7(at: Date = new Date(currentTime())): string {
  const msecs = at.getTime();
  last.seq = msecs === last.ms ? last.seq + 1 : Math.floor(Math.random() * 2 ** 30);
  last.ms = msecs;
  return v7({ msecs, seq: last.seq, random: random16() });
}

/** The smallest UUIDv7 of a millisecond: a bound for ranges of ids by time. */
export function uuidFloor(at: Date | string): string {
  const ms = Math.max(0, new Date(at).getTime()).toString(16).padStart(12, '0');
  return `${ms.slice(0, 8)}-${ms.slice(8, 12)}-0000-0000-000000000000`;
}

/** As `uuidFloor`, of a time in SQL. */
export const uuidFloorSql = (time: string): string =>
  `(select (left(h, 8) || '-' || right(h, 4) || '-0000-0000-000000000000')::uuid
      from lpad(to_hex(floor(extract(epoch from ${time}) * 1000)::bigint), 12, '0') h)`;

/** The time in a UUIDv7. */
export function uuidTime(id: string): Date {
  return new Date(parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/** Times of a row that has no column for the first. A transaction dates what it writes by its start, which is before the id was made. */
export function timesOf({ id, updatedAt }: { id: string; updatedAt: Date }) {
  const createdAt = uuidTime(id);
  const changedAt = updatedAt < createdAt ? createdAt : updatedAt;
  return { createdAt: createdAt.toISOString(), updatedAt: changedAt.toISOString() };
}
