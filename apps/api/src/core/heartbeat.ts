import { writeFile } from 'node:fs/promises';
import type { Db } from './db/db.ts';
import type { Log } from './log.ts';

const EVERY_MS = 5000;

/**
 * A worker has no port to ask: it touches a file for as long as its event loop turns and its database answers. Returns
 * what ends it.
 */
export function keepHeartbeat(
  file: string,
  db: Pick<Db, 'query'>,
  log: Log,
  everyMs = EVERY_MS,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const beat = async (): Promise<void> => {
    try {
      await db.query('select 1');
      await writeFile(file, new Date().toISOString());
    } catch (error) {
      log.warn({ err: error }, 'no heartbeat');
    }
    if (!isStopped) timer = setTimeout(() => void beat(), everyMs).unref();
  };
  void beat();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
