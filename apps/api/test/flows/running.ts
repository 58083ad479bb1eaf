import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../until.ts';

/** Whether a process is ready, by its output since the start or otherwise. */
export type Ready = (output: string) => Promise<boolean> | boolean;

export interface Ended {
  code: number | null;
  signal: string | null;
  ms: number;
}

/** A started program. Its output is kept for error messages. */
export class Running {
  readonly name: string;
  readonly log: string;
  readonly env: Record<string, string>;
  private child?: ChildProcess;
  private readonly files: string[];
  private readonly isReady: Ready;

  constructor(
    name: string,
    folder: string,
    files: string[],
    env: Record<string, string>,
    isReady: Ready,
  ) {
    this.name = name;
    this.log = join(folder, `${name}.log`);
    this.files = files;
    this.env = env;
    this.isReady = isReady;
  }

  get pid(): number {
    return this.child!.pid!;
  }

  get alive(): boolean {
    return this.child !== undefined && this.child.exitCode === null && !this.child.signalCode;
  }

  get output(): string {
    return existsSync(this.log) ? readFileSync(this.log, 'utf8') : '';
  }

  /** Reads the port of a program that was started with `PORT=0`, and uses it for restarts. */
  keepPort(said: RegExp): string {
    const port = said.exec(this.output)?.[1];
    if (!port) throw new Error(`${this.name} names no port:\n${this.output}`);
    this.env.PORT = port;
    return `http://127.0.0.1:${port}`;
  }

  /** Resolves when it is ready for work, the first time and after a kill. */
  async start(timeoutMs = 90_000): Promise<this> {
    const before = this.output.length;
    const log = openSync(this.log, 'a');
    this.child = spawn(process.execPath, this.files, {
      env: { PATH: process.env.PATH, ...this.env },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    const ready = async () => {
      if (!this.alive) throw new Error(`${this.name} ended:\n${this.output.slice(before)}`);
      return this.isReady(this.output.slice(before));
    };
    await until(ready, `${this.name} to be ready`, timeoutMs);
    return this;
  }

  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  /** Resolves when the process has ended; SIGKILL also ends a stopped one. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (!this.alive) return;
    const gone = new Promise((resolve) => this.child!.once('exit', resolve));
    this.child!.kill(signal);
    await gone;
  }

  /** How it ends, and after how many milliseconds. */
  gone(): Promise<Ended> {
    const since = Date.now();
    const { child } = this;
    if (!child || !this.alive) throw new Error(`${this.name} does not run`);
    return new Promise<Ended>((resolve) =>
      child.once('exit', (code, signal) => resolve({ code, signal, ms: Date.now() - since })),
    );
  }

  /** SIGTERM, as an operator sends it. Resolves with the exit. */
  async stop(): Promise<Ended> {
    const ended = this.gone();
    this.child!.kill('SIGTERM');
    return ended;
  }

  killNow(): void {
    if (this.alive) this.child!.kill('SIGKILL');
  }

  /** Lines of the log at the level of an error. */
  get errors(): string[] {
    return this.output.split('\n').filter((line) => /^\{"level":[56]0/.test(line));
  }
}
