import { realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Removes the data of a run; as root those of its servers are elsewhere, and linked. */
export function removeData(dir: string): void {
  for (const name of ['postgres', 'redis'])
    rmSync(realpathSync(join(dir, name)), { recursive: true, force: true });
  rmSync(dir, { recursive: true });
}
