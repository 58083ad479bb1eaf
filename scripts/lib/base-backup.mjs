import {
  chownSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { constants } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isRoot, root } from './project.mjs';
import { ownedFile, ownedFolder } from './unprivileged.mjs';

const { Client } = createRequire(join(root, 'apps/api/package.json'))('pg');

/** What belongs to the running server and not to its data. */
const NOT_COPIED = new Set(['postmaster.pid', 'postmaster.opts', 'pg_wal', 'pg_replslot']);
const LOG_KEPT = 'backup';

/**
 * Copies the data of a running server of ours (`server`, as `postgres` returned it, or its `home` and `url`) to the folder `data`: the
 * state at the end of the copying, as `pg_basebackup` would have it. The server works on meanwhile.
 */
export async function baseBackup({ home, url }, data) {
  const from = join(home, 'data');
  const session = new Client(url);
  await session.connect();
  try {
    // The log since the start is kept until the end of the session.
    await session.query(`select pg_create_physical_replication_slot($1, true, true)`, [
      `${LOG_KEPT}_${process.pid}`,
    ]);
    await session.query(`select pg_backup_start('heliograph', fast => true)`);
    ownedFolder(data);
    for (const name of readdirSync(from))
      if (!NOT_COPIED.has(name)) copy(join(from, name), join(data, name));
    const { rows } = await session.query(
      `select labelfile from pg_backup_stop(wait_for_archive => false)`,
    );
    copy(join(from, 'pg_wal'), join(data, 'pg_wal'));
    ownedFolder(join(data, 'pg_replslot'));
    ownedFile(join(data, 'backup_label'), rows[0].labelfile);
  } finally {
    await session.end();
  }
}

/** Copies a file or a folder with its owner, rights and times. Files that are removed meanwhile are left out: the log knows of it. */
export function copy(from, to) {
  let stat;
  try {
    stat = lstatSync(from);
    if (stat.isDirectory()) {
      mkdirSync(to, { recursive: true, mode: stat.mode });
      for (const name of readdirSync(from)) copy(join(from, name), join(to, name));
    } else if (stat.isSymbolicLink()) return symlinkSync(readlinkSync(from), to);
    else copyFileSync(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    if (error.code === 'ENOENT' && error.path === from) return;
    throw error;
  }
  if (isRoot) chownSync(to, stat.uid, stat.gid);
  utimesSync(to, stat.atime, stat.mtime);
}
