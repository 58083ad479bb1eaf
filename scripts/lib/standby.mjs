import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './project.mjs';
import { baseBackup } from './base-backup.mjs';
import { postgres } from './postgres.mjs';
import { ownedFile, serverHome } from './unprivileged.mjs';

const { Client } = createRequire(join(root, 'apps/api/package.json'))('pg');

const SLOT = 'standby';

/**
 * Copies a server of ours that runs (`primary`, as `postgres` returned it) to `dataDir`, and starts the copy as its streaming replica. Resolves
 * when it takes connections, as `postgres` does.
 */
export async function standby({ dataDir, primary, durable = true }) {
  const home = serverHome(dataDir);
  const data = join(home, 'data');
  const session = new Client(primary.url);
  await session.connect();
  try {
    await session.query(`select pg_create_physical_replication_slot($1, true)`, [SLOT]);
  } finally {
    await session.end();
  }
  await baseBackup(primary, data);
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
