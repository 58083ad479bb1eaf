import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { AppError } from '../errors.ts';

const FROM_INPUT = '--password-stdin';

/**
 * Reads a password from a hidden terminal prompt, or with `--password-stdin` from the first line of stdin. Returns null
 * for an empty line at the prompt, and if there is no terminal.
 */
export async function readPassword(options: string[]): Promise<string | null> {
  const unknown = options.filter((option) => option !== FROM_INPUT);
  if (unknown.length) throw new AppError('validation', `Unknown options: ${unknown.join(' ')}`);
  if (options.length) {
    const line = await firstLine(false);
    if (!line) throw new AppError('validation', 'stdin contains no password');
    return line;
  }
  if (!process.stdin.isTTY) return null;
  process.stdout.write('Password (leave empty to generate one): ');
  const line = await firstLine(true);
  process.stdout.write('\n');
  if (line === null)
    throw new AppError('validation', 'No password was given. Nothing was changed.');
  return line || null;
}

/** Null if the input ends before the first line. */
function firstLine(terminal: boolean): Promise<string | null> {
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: discard, terminal });
  return new Promise((resolve) => {
    reader.once('line', (line) => {
      resolve(line);
      reader.close();
    });
    reader.once('close', () => resolve(null));
  });
}
