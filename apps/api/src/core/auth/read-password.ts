import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { AppError } from '../errors.ts';

const FROM_INPUT = '--password-stdin';

/**
 * A password for a command: typed unseen at a terminal, or the first line of the input when that is asked for. Null
 * when none is given: an empty line at a terminal, or no terminal.
 */
export async function readPassword(options: string[]): Promise<string | null> {
  const unknown = options.filter((option) => option !== FROM_INPUT);
  if (unknown.length) throw new AppError('validation', `Unknown: ${unknown.join(' ')}`);
  if (options.length) {
    const line = await firstLine(false);
    if (!line) throw new AppError('validation', 'The input has no password');
    return line;
  }
  if (!process.stdin.isTTY) return null;
  process.stdout.write('Password (empty: one is made and shown): ');
  const line = await firstLine(true);
  process.stdout.write('\n');
  if (line === null)
    throw new AppError('validation', 'No password was given. Nothing was changed.');
  return line || null;
}

/** Null when the input ends, or is broken off, before there is one. */
function firstLine(terminal: boolean): Promise<string | null> {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: unseen, terminal });
  return new Promise((resolve) => {
    reader.once('line', (line) => {
      resolve(line);
      reader.close();
    });
    reader.once('close', () => resolve(null));
  });
}
