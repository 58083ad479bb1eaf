import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const READER = fileURLToPath(new URL('../src/core/sheets/reader/reader.ts', import.meta.url));

/**
 * Bundles the program that reads files, as the build does. Tests start it hundreds of times, and its sources take Node more than twice the
 * time. `use-reader-program.ts` has each worker of the tests use it.
 */
export default async function setup(): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-reader-'));
  const bundle = await rolldown({ input: READER, platform: 'node', treeshake: false });
  const names = { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' };
  await bundle.write({ dir: folder, format: 'esm', ...names });
  await bundle.close();
  process.env.READER_PROGRAM = join(folder, 'reader.mjs');
  return () => rmSync(folder, { recursive: true });
}
