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

import type { SubmitOutcome, IncomingMessage } from './messages.ts';

/** One message of a batch, as short as it can be written and still be planned again. */
export type LoggedMessage = [
  reference: string,
  type: string,
  recipient: string,
  sender: string,
  result: SubmitOutcome,
];

/** A line of the log: a batch that was handed over, or the behaviour in force from here on. */
export type Entry =
  | { at: string; messages: LoggedMessage[] }
  | { at: string; options: Record<string, unknown>; seed: string };

/**
 * The append-only log of everything that was handed over, one JSON line for each batch, written
 * before the batch is answered. It survives the end of the process, not of the machine: there is
 * no fsync, this is a simulator.
 */
export class Journal {
  private readonly file: number;

  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true });
    this.file = openSync(path, 'a+');
    cutUnfinishedLine(this.file);
  }

  /** Everything logged so far, oldest first; read piece by piece, as the log may be large. */
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

/** A killed process may leave half a line behind; that batch was never answered. */
function cutUnfinishedLine(file: number): void {
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

export function toLogged(message: IncomingMessage, result: SubmitOutcome): LoggedMessage {
  return [message.reference, message.type, message.recipient, message.sender, result];
}
