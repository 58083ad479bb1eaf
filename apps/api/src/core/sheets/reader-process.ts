import { fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '../errors.ts';
import type { Answer, Ask, Failure } from './reader/messages.ts';

/** Of V8's heap: enough for the 65,536 rows of an .xls and for 100,000 of an .ods with seven columns. */
const HEAP_MB = 256;
/** Of the whole process, where the kernel tells it. */
const MEMORY_MB = 512;
const WATCH_MS = 100;
/** One answer. Parsing a whole file takes up to ten seconds, more on a busy machine. */
const ANSWER_MS = 120_000;
const PAGES_PER_MB = 256;

/**
 * A process that reads one file of others: with limited memory and time, and without environment variables. It reads little further
 * than it is asked to.
 */
export class ReaderProcess {
  /** What it runs. Tests bundle it, as the build does. */
  static program = fileURLToPath(
    new URL(`./reader/reader${extname(import.meta.url)}`, import.meta.url),
  );
  private readonly child;
  private waiting: { resolve: (answer: never) => void; reject: (error: Error) => void } | null =
    null;
  private hasEnded = false;

  constructor(path: string, formats: 'all' | 'plain') {
    this.child = fork(ReaderProcess.program, [path, formats], {
      execArgv: [`--max-old-space-size=${HEAP_MB}`, '--no-warnings'],
      env: {},
      stdio: 'ignore',
    });
    this.child.on('message', (answer) => this.waiting?.resolve(answer as never));
    this.child.on('error', () => this.end(true));
    this.child.on('exit', (code, signal) => this.end(code === 0 || (!signal && code !== ABORTED)));
  }

  /** What the process says to a question; first, without one, what it opened. */
  async ask<T extends Answer>(question?: Ask): Promise<T> {
    const watch = setInterval(() => void this.endIfTooLarge(), WATCH_MS);
    const tooLong = setTimeout(() => this.close(), ANSWER_MS);
    try {
      const answer = await new Promise<T | Failure>((resolve, reject) => {
        this.waiting = { resolve, reject };
        if (this.hasEnded) reject(tooLarge());
        else if (question) this.child.send(question, (error) => error && reject(tooLarge()));
      });
      if ('error' in answer) {
        const { code, message, payload } = answer.error;
        throw new AppError(code, message, { payload });
      }
      return answer;
    } finally {
      this.waiting = null;
      clearInterval(watch);
      clearTimeout(tooLong);
    }
  }

  close(): void {
    this.child.kill('SIGKILL');
  }

  private end(isFault: boolean): void {
    this.hasEnded = true;
    this.waiting?.reject(isFault ? new Error('the reader of files ended') : tooLarge());
  }

  private async endIfTooLarge(): Promise<void> {
    const statm = await readFile(`/proc/${this.child.pid}/statm`, 'utf8').catch(() => '');
    if (Number(statm.split(' ')[1] ?? 0) > MEMORY_MB * PAGES_PER_MB) this.close();
  }
}

/** Exit code 128 + SIGABRT, after V8 ran out of memory. */
const ABORTED = 134;

const tooLarge = () =>
  new AppError('too_large', 'The file is too large when unpacked. Split it into several files.');
