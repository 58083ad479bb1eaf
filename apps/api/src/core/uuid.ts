import { v7 } from 'uuid';

/** A UUIDv7, rising within this process. */
export function uuidv7(at?: Date): string {
  return at ? v7({ msecs: at.getTime() }) : v7();
}

/** The smallest UUID of a millisecond: a bound for ids by time. */
export function uuidFloor(at: Date | string): string {
  const ms = Math.max(0, new Date(at).getTime()).toString(16).padStart(12, '0');
  return `${ms.slice(0, 8)}-${ms.slice(8, 12)}-0000-0000-000000000000`;
}

/** The time in a UUIDv7. */
export function uuidTime(id: string): Date {
  return new Date(parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}
