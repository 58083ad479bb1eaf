import { Worker } from 'node:worker_threads';
import { unavailable } from './http/service-client.ts';

/** Stopped when it is idle for this long. */
const IDLE_MS = 5 * 60_000;

interface Options {
  /** For errors, e.g. `the geocoder`. */
  name: string;
  maxHeapMb: number;
  /** Until a call is given up, with those before it. */
  timeoutMs: number;
}

interface Call<Output> {
  resolve: (output: Output) => void;
  reject: (error: Error) => void;
}

/** The answer of a thread: what `answers` in `worker-answers.ts` posts. */
interface Answer<Output> {
  id: number;
  output?: Output;
  error?: string;
}

/** A thread for work that would block the event loop. It is started by the first call, and again after it ran out of memory or time. */
export class WorkerThread<Input, Output> {
  private worker: Worker | null = null;
  private readonly calls = new Map<number, Call<Output>>();
  private count = 0;
  private idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly script: URL,
    private readonly options: Options,
  ) {}

  async run(input: Input): Promise<Output> {
    const worker = (this.worker ??= this.start());
    const id = this.count++;
    clearTimeout(this.idle);
    const tooLong = setTimeout(() => void this.stop('timed out'), this.options.timeoutMs);
    try {
      return await new Promise<Output>((resolve, reject) => {
        this.calls.set(id, { resolve, reject });
        worker.postMessage({ id, input });
      });
    } finally {
      clearTimeout(tooLong);
      this.calls.delete(id);
      if (!this.calls.size) this.idle = setTimeout(() => void this.stop(), IDLE_MS).unref();
    }
  }

  async stop(reason = 'was stopped'): Promise<void> {
    clearTimeout(this.idle);
    const { worker } = this;
    if (!worker) return;
    this.end(worker, reason);
    await worker.terminate();
  }

  private start(): Worker {
    const worker = new Worker(this.script, {
      resourceLimits: { maxOldGenerationSizeMb: this.options.maxHeapMb },
    });
    worker.unref();
    worker.on('message', ({ id, output, error }: Answer<Output>) => {
      const call = this.calls.get(id);
      if (error === undefined) call?.resolve(output as Output);
      else call?.reject(new Error(error));
    });
    worker.on('error', ({ message }) => this.end(worker, `failed: ${message}`));
    worker.on('exit', () => this.end(worker, 'exited'));
    return worker;
  }

  /** Once per worker: when a stopped one exits, the calls are those of its successor. */
  private end(worker: Worker, reason: string): void {
    if (this.worker !== worker) return;
    this.worker = null;
    for (const { reject } of this.calls.values())
      reject(unavailable(`${this.options.name} ${reason}`));
  }
}
