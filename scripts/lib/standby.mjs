import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './project.mjs';
import { postgres } from './postgres.mjs';
import { ownedFile, ownedFolder, serverHome } from './unprivileged.mjs';

const { Client } = createRequire(join(root, 'apps/api/package.json'))('pg');

/** What a copy of a running server does without: its process, and its log, which is streamed. */
const NOT_COPIED = new Set(['postmaster.pid', 'postmaster.opts', 'pg_wal']);
const SLOT = 'standby';

/**
 * Copies a server of ours that runs and is idle (`primary`, as `postgres` returned it) to `dataDir`, and starts the copy as its streaming replica. Resolves
 * when it takes connections, as `postgres` does.
 */
export async function standby({ dataDir, primary, durable = true }) {
  const home = serverHome(dataDir);
  const data = ownedFolder(join(home, 'data'));
  const from = join(primary.home, 'data');
  const session = new Client(primary.url);
  await session.connect();
  try {
    await session.query(`select pg_create_physical_replication_slot($1, true)`, [SLOT]);
    await session.query(`select pg_backup_start('standby', fast => true)`);
    const names = readdirSync(from).filter((name) => !NOT_COPIED.has(name));
    execFileSync('cp', ['-a', ...names.map((name) => join(from, name)), data]);
    ownedFolder(join(data, 'pg_wal'));
    const { rows } = await session.query(
      `select labelfile, spcmapfile from pg_backup_stop(wait_for_archive => false)`,
    );
    ownedFile(join(data, 'backup_label'), rows[0].labelfile);
  } finally {
    await session.end();
  }
  const { hostname, port, username, password } = new URL(primary.url);
  const address = `host=${hostname} port=${port} user=${username} password=${password}`;
  ownedFile(
    join(data, 'postgresql.auto.conf'),
    `primary_conninfo = '${address}'\nprimary_slot_name = '${SLOT}'\n`,
  );
  ownedFile(join(data, 'standby.signal'), '');
  writeFileSync(join(home, 'connection.json'), JSON.stringify({ password }), { mode: 0o600 });
  return postgres({ dataDir, durable });
}
