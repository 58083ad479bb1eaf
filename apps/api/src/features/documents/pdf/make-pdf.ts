import type { DocumentFacts } from '@heliograph/domain';
import { extname } from 'node:path';
import { WorkerThread } from '../../../core/worker-thread.ts';

/** A document takes tens of milliseconds of computing. */
const thread = new WorkerThread<DocumentFacts, Uint8Array>(
  new URL(`./pdf.worker${extname(import.meta.url)}`, import.meta.url),
  { name: 'the maker of PDFs', maxHeapMb: 256, timeoutMs: 120_000 },
);

/** The PDF of a document. The same facts give the same bytes. */
export async function makePdf(facts: DocumentFacts): Promise<Buffer> {
  return Buffer.from(await thread.run(facts));
}
