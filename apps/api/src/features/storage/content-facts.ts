import { extname } from 'node:path';
import { WorkerThread } from '../../core/worker-thread.ts';
import type { ContentFacts } from './read-facts.ts';

export type FactsInput = [path: string, type: string];

/** Searching a hostile PDF of the greatest size takes up to half a second. */
const thread = new WorkerThread<FactsInput, ContentFacts>(
  new URL(`./facts.worker${extname(import.meta.url)}`, import.meta.url),
  { name: 'the reader of facts', maxHeapMb: 128, timeoutMs: 60_000 },
);

const WITH_FACTS = /^(image\/(png|jpeg|gif|webp)|video\/.+|audio\/mp4|application\/pdf)$/;

/** Reads the metadata of a file in a thread; unknown fields are omitted. A file whose metadata cannot be read has none. */
export async function contentFacts(...[path, type]: FactsInput): Promise<ContentFacts> {
  if (!WITH_FACTS.test(type)) return {};
  return thread.run([path, type]).catch(() => ({}));
}
