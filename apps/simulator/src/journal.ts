import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { StringDecoder } from 'node:string_decoder';

import type { SubmitOutcome, SubmittedMessage } from './messages.ts';

/** One message of a batch: the fields needed to plan it again. */
export type LoggedMessage = [
  reference: string,
  type: string,
  recipient: string,
  sender: string,
  result: SubmitOutcome,
];

/** A line of the log: a submitted batch, or the profile of the following batches. */
export type Entry =
  | { at: string; messages: LoggedMessage[] }
  | { at: string; options: Record<string, unknown>; seed: string };

/**
 * The append-only log of submissions: one JSON line per batch, written before the response. It survives a crash of the process but
 * not of the machine, because a simulator needs no fsync.
 */
export class Journal {
  private readonly file: number;

  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true });
    this.file = openSync(path, 'a+');
    truncateIncompleteLine(this.file);
  }

  /** All entries, oldest first. Reads in chunks, because the log can be large. */
  *entries(): Generator<Entry> {
    const chunk = Buffer.alloc(1_024 * 1_024);
    const decoder = new StringDecoder('utf8');
    let rest = '';
    for (let at = 0, length = -1; length !== 0; at += length) {
      length = readSync(this.file, chunk, 0, chunk.length, at);
      const lines = (rest + decoder.write(chunk.subarray(0, length))).split('\n');
      rest = lines.pop()!;
      for (const line of lines) yield JSON.parse(line) as Entry;
    }
  }

  append(entry: Entry): void {
    writeSync(this.file, `${JSON.stringify(entry)}\n`);
  }

  clear(): void {
    ftruncateSync(this.file, 0);
  }

  close(): void {
    closeSync(this.file);
  }
}

/** A killed process can leave an incomplete line. Its batch had no response. */
function truncateIncompleteLine(file: number): void {
  const { size } = fstatSync(file);
  const chunk = Buffer.alloc(64 * 1_024);
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - chunk.length);
    const length = readSync(file, chunk, 0, end - start, start);
    const newline = chunk.subarray(0, length).lastIndexOf(0x0a);
    if (newline >= 0) return ftruncateSync(file, start + newline + 1);
    end = start;
  }
  ftruncateSync(file, 0);
}

export function toLogged(message: SubmittedMessage, result: SubmitOutcome): LoggedMessage {
  return [message.reference, message.type, message.recipient, message.sender, result];
}
