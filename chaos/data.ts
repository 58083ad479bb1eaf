import { existsSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Removes the data of a run; as root those of its servers are elsewhere, and linked. */
export function removeData(dir: string): void {
  const servers = ['postgres', 'redis', 'postfix'].map((name) => join(dir, name));
  for (const server of servers.filter(existsSync))
    rmSync(realpathSync(server), { recursive: true, force: true });
  rmSync(dir, { recursive: true });
}
