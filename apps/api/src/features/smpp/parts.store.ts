import { Injectable } from '@nestjs/common';
import { Db } from '../../core/db/db.ts';
import type { SmppAddress } from '../sendings/sendings.service.ts';

/** What a receipt of a part needs. */
export interface StoredReceiptPart {
  id: string;
  receipt: 0 | 1 | 2;
  source: SmppAddress;
  /** Null for that of the message. */
  destination: SmppAddress | null;
}

export interface StoredPart extends StoredReceiptPart {
  OwnerId: string;
  key: string;
  index: number;
  total: number;
  alphabet: string;
  octets: Buffer;
}

const COLUMNS = `id, owner_id as "OwnerId", key, index, total, alphabet, octets, receipt, source, destination`;

/** Parts of long messages that were submitted over SMPP. */
@Injectable()
export class PartsStore {
  constructor(private readonly db: Db) {}

  /** Parts of one message come over several sessions at once. Held until the end of the transaction. */
  async lock(OwnerId: string, key: string): Promise<void> {
    await this.db.query(`select pg_advisory_xact_lock(hashtextextended($1, 34))`, [
      `${OwnerId} ${key}`,
    ]);
  }

  /** Locked: the sweep gives up those that it has locked before, which are then none any more. */
  waiting(OwnerId: string, key: string): Promise<StoredPart[]> {
    return this.db.query<StoredPart>(
      `select ${COLUMNS} from smpp_parts where owner_id = $1 and key = $2 and sending_id is null order by index for update`,
      [OwnerId, key],
    );
  }

  /** Whether so many parts of the account wait. */
  async isFull(OwnerId: string, limit: number): Promise<boolean> {
    const [row] = await this.db.query<{ n: number }>(
      `select count(*)::int as n from (select 1 from smpp_parts where owner_id = $1 and sending_id is null limit $2) p`,
      [OwnerId, limit],
    );
    return row!.n >= limit;
  }

  async add(part: StoredPart): Promise<void> {
    await this.db.query(
      `insert into smpp_parts (id, owner_id, key, index, total, alphabet, octets, receipt, source, destination)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        part.id,
        part.OwnerId,
        part.key,
        part.index,
        part.total,
        part.alphabet,
        part.octets,
        part.receipt,
        JSON.stringify(part.source),
        part.destination && JSON.stringify(part.destination),
      ],
    );
  }

  /** The parts are a message now; their content and recipient are there. */
  async join(ids: string[], sendingId: string): Promise<void> {
    await this.db.query(
      `update smpp_parts set sending_id = $2, octets = '', destination = null where id = any($1)`,
      [ids, sendingId],
    );
  }

  /** What was received of messages is not kept. All parts are of those that wait. */
  async giveUp(messages: { first: string; ids: string[] }[]): Promise<void> {
    await this.db.query(
      `update smpp_parts p set sending_id = g.first, octets = ''
         from unnest($1::uuid[], $2::uuid[]) g (id, first) where p.id = g.id`,
      [
        messages.flatMap(({ ids }) => ids),
        messages.flatMap(({ first, ids }) => ids.map(() => first)),
      ],
    );
  }

  /** Parts older than an id that still wait, locked. */
  lockOlder(before: string, limit: number): Promise<StoredPart[]> {
    return this.db.query<StoredPart>(
      `select ${COLUMNS} from smpp_parts where sending_id is null and id < $1 order by id limit $2 for update skip locked`,
      [before, limit],
    );
  }

  /** The message of a part, or the first of those that were given up; null while it waits, undefined for what is no part of the account. */
  async sendingOf(OwnerId: string, id: string): Promise<string | null | undefined> {
    const [row] = await this.db.query<{ SendingId: string | null }>(
      `select sending_id as "SendingId" from smpp_parts where owner_id = $1 and id = $2`,
      [OwnerId, id],
    );
    return row?.SendingId;
  }
}
