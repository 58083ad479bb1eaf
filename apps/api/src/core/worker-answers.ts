import { parentPort } from 'node:worker_threads';

/** Answers the calls of a `WorkerThread`, one at a time. */
export function answers<Input, Output>(work: (input: Input) => Output | Promise<Output>): void {
  let last: Promise<void> = Promise.resolve();
  parentPort!.on('message', ({ id, input }: { id: number; input: Input }) => {
    last = last.then(async () => {
      try {
        parentPort!.postMessage({ id, output: await work(input) });
      } catch (error) {
        parentPort!.postMessage({ id, error: (error as Error).stack ?? String(error) });
      }
    });
  });
}
