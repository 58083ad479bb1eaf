import { writeFile } from 'node:fs/promises';
import type { Db } from './db/db.ts';
import type { Log } from './log.ts';

const EVERY_MS = 5000;

/**
 * Touches a file while the event loop runs and the database responds, since a worker has no HTTP port. Returns a function
 * that stops it.
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
      log.warn({ err: error }, 'heartbeat failed');
    }
    if (!isStopped) timer = setTimeout(() => void beat(), everyMs).unref();
  };
  void beat();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
