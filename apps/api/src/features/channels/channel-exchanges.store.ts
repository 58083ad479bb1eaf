import { Injectable } from '@nestjs/common';
import type { channels } from '@heliograph/contract';
import type { Exchange } from '../../channels/exchanges.ts';
import { Db } from '../../core/db/db.ts';
import type { In } from '../../core/http/endpoint.ts';
import { uuidv7 } from '../../core/uuid.ts';

type Query = In<typeof channels.exchanges>['query'];

export interface ExchangeRow extends Omit<Exchange, 'references' | 'tails'> {
  id: string;
  SendingIds: string[];
  tails: string[];
}

const DEFAULT_LIMIT = 50;

@Injectable()
export class ChannelExchangesStore {
  constructor(private readonly db: Db) {}

  async add(exchanges: Exchange[]): Promise<void> {
    const rows = exchanges.map((one) => ({ id: uuidv7(one.at), ...one }));
    await this.db.query(
      `insert into channel_exchanges (id, channel, at, outcome, sending_ids, tails, messages, request, answer, ms)
       select id, channel, at, outcome, "references", tails, messages, request, answer, ms from jsonb_to_recordset($1::jsonb)
         e (id uuid, channel text, at timestamptz, outcome text, "references" uuid[], tails text[], messages integer, request text, answer text, ms integer)`,
      // Postgres has no character 0.
      [JSON.stringify(rows).replaceAll(String.raw`\u0000`, '')],
    );
  }

  /** The newest first, before an id. */
  find(
    channel: string,
    { SendingId, tail, isFailed, cursor, limit, $limit = limit ?? DEFAULT_LIMIT }: Query,
  ): Promise<ExchangeRow[]> {
    const values: unknown[] = [channel];
    const bind = (value: unknown) => `$${values.push(value)}`;
    const where = [
      'channel = $1',
      ...(SendingId ? [`sending_ids @> array[${bind(SendingId)}]::uuid[]`] : []),
      ...(tail ? [`tails @> array[${bind(tail)}]::text[]`] : []),
      ...(isFailed ? [`outcome <> 'accepted'`] : []),
      ...(cursor ? [`id < ${bind(cursor)}`] : []),
    ];
    return this.db.queryUnprepared(
      `select id, channel, at, outcome, sending_ids as "SendingIds", tails, messages, request, answer, ms
         from channel_exchanges where ${where.join(' and ')} order by id desc limit ${bind($limit)}`,
      values,
    );
  }
}
