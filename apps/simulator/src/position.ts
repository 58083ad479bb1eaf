import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Progress of an outbox: all items before `offset` in bucket `bucket` are acknowledged. */
export interface Position {
  bucket: number;
  offset: number;
}

export const START: Position = { bucket: 0, offset: 0 };

/** Reads a position file. A missing or damaged file means the start, which only repeats reports. */
export function readPosition(path: string): Position {
  if (!existsSync(path)) return START;
  try {
    const { bucket, offset } = JSON.parse(readFileSync(path, 'utf8')) as Position;
    return Number.isInteger(bucket) && Number.isInteger(offset) ? { bucket, offset } : START;
  } catch {
    return START;
  }
}

export function writePosition(path: string, position: Position): void {
  writeFileSync(`${path}.new`, JSON.stringify(position));
  renameSync(`${path}.new`, path);
}
