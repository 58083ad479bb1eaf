import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Config } from '../../core/config.ts';

/** The documents that are generated from the contract. */
export type TextName = 'openapi' | 'asyncapi' | 'postman' | `reference-${string}`;

/** What the worker posts: a text, as soon as it is generated. */
export type Generated = [name: TextName, text: string];

const MAX_HEAP_MB = 512;
const SCRIPT = new URL(`./texts.worker${extname(import.meta.url)}`, import.meta.url);

interface Pending {
  resolve: (text: string) => void;
  reject: (error: Error) => void;
}

/**
 * OpenAPI, AsyncAPI, the Postman collection and the reference, generated on first use in a worker thread: they take the event loop half a second. The
 * worker generates all of them and ends.
 */
export class GeneratedTexts {
  private readonly texts = new Map<TextName, string>();
  private readonly pending = new Map<TextName, Pending[]>();
  private worker: Worker | null = null;

  constructor(private readonly config: Pick<Config, 'publicUrl'>) {}

  get(name: TextName): Promise<string> {
    const text = this.texts.get(name);
    if (text !== undefined) return Promise.resolve(text);
    return new Promise((resolve, reject) => {
      const waiting = this.pending.get(name) ?? [];
      waiting.push({ resolve, reject });
      this.pending.set(name, waiting);
      this.worker ??= this.start();
    });
  }

  private start(): Worker {
    const worker = new Worker(SCRIPT, {
      workerData: this.config.publicUrl,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    worker.unref();
    worker.on('message', ([name, text]: Generated) => {
      this.texts.set(name, text);
      for (const { resolve } of this.pending.get(name) ?? []) resolve(text);
      this.pending.delete(name);
    });
    worker.on('error', (error: Error) => this.end(worker, error));
    worker.on('exit', (code) =>
      this.end(worker, new Error(`the generator of documents exited with ${code}`)),
    );
    return worker;
  }

  /** The next request starts a new worker. */
  private end(worker: Worker, error: Error): void {
    if (this.worker !== worker) return;
    this.worker = null;
    for (const { reject } of [...this.pending.values()].flat()) reject(error);
    this.pending.clear();
  }
}
