import { Injectable } from '@nestjs/common';
import type { SendingType } from '@heliograph/domain';
import type { ChannelSettings } from '../../channels/channel.ts';
import { Db, violated } from '../../core/db/db.ts';
import { invalid, notFound } from '../../core/errors.ts';

/** A channel as it is kept, secrets included. */
export interface ChannelRow extends ChannelSettings {
  types: SendingType[];
  isActive: boolean;
  priority: number;
  updatedAt: Date;
}
export type NewChannel = Omit<ChannelRow, 'revision' | 'updatedAt'>;
export type ChannelChanges = Partial<Omit<NewChannel, 'name' | 'driver'>>;

/** Replaced settings that one look removes. */
const FORMER_AT_MOST = 500;
const COLUMNS = `name, driver, types, is_active as "isActive", priority, options, revision, updated_at as "updatedAt"`;

/** Channels belong to the installation, not to an account. */
@Injectable()
export class ChannelsStore {
  constructor(private readonly db: Db) {}

  all(): Promise<ChannelRow[]> {
    return this.db.query<ChannelRow>(
      `select ${COLUMNS} from channels order by priority desc, name`,
    );
  }

  /** Settings that have been replaced since, while batches are asked about under them. */
  async former(revision: number): Promise<ChannelSettings | undefined> {
    const [row] = await this.db.query<ChannelSettings>(
      `select channel as name, driver, options, revision from channel_revisions where revision = $1`,
      [revision],
    );
    return row;
  }

  async create(channel: NewChannel): Promise<ChannelRow> {
    const { name, driver, types, isActive, priority, options } = channel;
    const [row] = await this.db
      .query<ChannelRow>(
        `insert into channels (name, driver, types, is_active, priority, options) values ($1, $2, $3, $4, $5, $6) returning ${COLUMNS}`,
        [name, driver, types, isActive, priority, options],
      )
      .catch((error: unknown) => {
        if (violated(error) === 'channels_pkey')
          throw invalid('name', 'unique', 'this name is taken already');
        throw error;
      });
    return row!;
  }

  /** `next` makes of the row what it shall be; it may refuse. */
  update(name: string, next: (row: ChannelRow) => ChannelRow): Promise<ChannelRow> {
    return this.db.transaction(async () => {
      const { types, isActive, priority, options } = next(await this.get(name, 'for update'));
      const [saved] = await this.db.query<ChannelRow>(
        `update channels set types = $2, is_active = $3, priority = $4, options = $5, updated_at = now() where name = $1 returning ${COLUMNS}`,
        [name, types, isActive, priority, options],
      );
      return saved!;
    });
  }

  async get(name: string, lock: '' | 'for update' = ''): Promise<ChannelRow> {
    const [row] = await this.db.query<ChannelRow>(
      `select ${COLUMNS} from channels where name = $1 ${lock}`,
      [name],
    );
    if (!row) throw notFound();
    return row;
  }

  /** An hour is longer than a handover takes that began under them. */
  async removeFormer(): Promise<boolean> {
    const removed = await this.db.execute(
      `delete from channel_revisions where revision in (
         select revision from channel_revisions r where superseded_at < now() - interval '1 hour'
            and not exists (select 1 from batches b where b.poll_at is not null and b.channel_revision = r.revision)
          order by revision limit ${FORMER_AT_MOST})`,
    );
    return removed === FORMER_AT_MOST;
  }
}
