import { Injectable } from '@nestjs/common';
import type { Channel } from '@heliograph/contract';
import { Db } from '../../core/db/db.ts';
import { notFound } from '../../core/errors.ts';

const COLUMNS = `name, driver, types, is_active as "isActive", priority, options, updated_at as "updatedAt"`;

/** Channels belong to the installation, not to an account. */
@Injectable()
export class ChannelsStore {
  constructor(private readonly db: Db) {}

  async all(): Promise<Channel[]> {
    const rows = await this.db.query<Row>(
      `select ${COLUMNS} from channels order by priority desc, name`,
    );
    return rows.map(present);
  }

  update(
    name: string,
    changes: Partial<Channel>,
    check: (next: Channel) => void,
  ): Promise<Channel> {
    return this.db.transaction(async () => {
      const [row] = await this.db.query<Row>(
        `select ${COLUMNS} from channels where name = $1 for update`,
        [name],
      );
      if (!row) throw notFound();
      const known = present(row);
      const next = { ...known, ...changes };
      // Nobody can send back what is never shown: a secret stays until another is given.
      if (known.options.secret !== undefined)
        next.options = { secret: known.options.secret, ...next.options };
      check(next);
      const [saved] = await this.db.query<Row>(
        `update channels set types = $2, is_active = $3, priority = $4, options = $5, updated_at = now() where name = $1 returning ${COLUMNS}`,
        [name, next.types, next.isActive, next.priority, next.options],
      );
      return present(saved!);
    });
  }
}

type Row = Omit<Channel, 'updatedAt'> & { updatedAt: Date };

function present(row: Row): Channel {
  return { ...row, updatedAt: row.updatedAt.toISOString() };
}
