import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const dataDir = join(root, '.data');
export const isRoot = process.getuid?.() === 0;

/** A failure that the reader can act on: shown without a stack trace. */
export class Trouble extends Error {}

// A terminal that was closed must not end us before what we started has been stopped.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

export function say(text) {
  console.log(text);
}

/** Downloaded tools live per user, so that a fresh clone finds them; a home that cannot be written is no obstacle. */
export function cacheDir() {
  const caches = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  // Root's servers run as another account, which cannot enter root's home.
  const wanted = process.env.HELIOGRAPH_CACHE || join(isRoot ? '/var/cache' : caches, 'heliograph');
  for (const dir of [wanted, join(dataDir, 'tools')]) {
    try {
      mkdirSync(dir, { recursive: true });
      return dir;
    } catch {
      // try the next one
    }
  }
  throw new Trouble(`Neither ${wanted} nor ${dataDir} can be written.`);
}

/** A folder that cannot be written is for the reader to mend. */
function unwritable({ code, path }) {
  if (!['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'].includes(code) || !path) return undefined;
  const reason = code === 'ENOSPC' || code === 'EDQUOT' ? 'the disk is full' : 'no permission';
  return `\n${path} cannot be written: ${reason}. The data of this checkout is kept in ${dataDir}.`;
}

/** Runs a script's main function; prints a Trouble in one line and any other error with its stack. */
export async function main(run) {
  try {
    process.exitCode = (await run()) ?? 0;
  } catch (error) {
    console.error(error instanceof Trouble ? `\n${error.message}` : (unwritable(error) ?? error));
    process.exitCode = 1;
  }
}
