import { Injectable } from '@nestjs/common';
import type { Locale } from '@heliograph/domain';
import { Db } from '../../../core/db/db.ts';

export interface Bot {
  id: string;
  username: string;
  nextUpdate: number;
  blockedUntil: Date | null;
}

export interface LinkedUser {
  userId: string;
  OwnerId: string;
  username: string;
  locale: Locale | null;
  /** Name of the chat. */
  chat: string;
}

const BOT = `id, username, next_update::float8 as "nextUpdate", blocked_until as "blockedUntil"`;

@Injectable()
export class TelegramStore {
  constructor(private readonly db: Db) {}

  async bot(id: string): Promise<Bot | null> {
    const [row] = await this.db.query<Bot>(`select ${BOT} from telegram_bots where id = $1`, [id]);
    return row ?? null;
  }

  async saveBot(id: string, username: string): Promise<Bot> {
    const [row] = await this.db.query<Bot>(
      `insert into telegram_bots (id, username) values ($1, $2)
       on conflict (id) do update set username = excluded.username returning ${BOT}`,
      [id, username],
    );
    return row!;
  }

  /** False if the update was processed before, by this or another worker. */
  async takeUpdate(botId: string, updateId: number): Promise<boolean> {
    const taken = await this.db.execute(
      `update telegram_bots set next_update = $2::bigint + 1 where id = $1 and next_update <= $2::bigint`,
      [botId, updateId],
    );
    return taken > 0;
  }

  async block(botId: string, until: Date): Promise<void> {
    await this.db.query(
      `update telegram_bots set blocked_until = greatest(blocked_until, $2) where id = $1`,
      [botId, until],
    );
  }

  async saveCode(userId: string, hash: Buffer, expiresAt: Date): Promise<void> {
    await this.db.query(
      `insert into telegram_codes (user_id, code_hash, expires_at) values ($1, $2, $3)
       on conflict (user_id) do update set code_hash = excluded.code_hash, expires_at = excluded.expires_at`,
      [userId, hash, expiresAt],
    );
  }

  /** Consumes the code and links the chat, which replaces the former one of the user. */
  async link(hash: Buffer, chatId: number, chat: string, now: Date): Promise<LinkedUser | null> {
    const [row] = await this.db.query<LinkedUser>(
      `with code as (delete from telegram_codes where code_hash = $1 and expires_at > $4 returning user_id),
            holder as (select u.id, u.owner_id, u.username from code join users u on u.id = code.user_id
                         join users o on o.id = u.owner_id where u.is_active and o.is_active),
            linked as (insert into telegram_chats (user_id, chat_id, name, created_at) select id, $2, $3, $4 from holder
                       on conflict (user_id) do update set chat_id = excluded.chat_id, name = excluded.name, created_at = excluded.created_at)
       select h.id as "userId", h.owner_id as "OwnerId", h.username, $3::text as chat,
              (select value #>> '{}' from settings_user s where s.user_id = h.id and s.key = 'locale') as locale
         from holder h`,
      [hash, chatId, chat, now],
    );
    return row ?? null;
  }

  /** Unlinks a chat of all its users, or of one user; what waits for it is not sent. */
  async unlink(
    where: { chatId: number } | { userId: string; chatId?: number },
  ): Promise<LinkedUser[]> {
    const { userId = null, chatId = null } = where as { userId?: string; chatId?: number };
    const rows = await this.db.query<LinkedUser>(
      `with gone as (
         delete from telegram_chats where ($1::uuid is null or user_id = $1) and ($2::bigint is null or chat_id = $2)
            and num_nonnulls($1::uuid, $2::bigint) > 0 returning user_id, name)
       select u.id as "userId", u.owner_id as "OwnerId", u.username, gone.name as chat,
              (select value #>> '{}' from settings_user s where s.user_id = u.id and s.key = 'locale') as locale
         from gone join users u on u.id = gone.user_id order by u.id`,
      [userId, chatId],
    );
    const ids = rows.map((row) => row.userId);
    if (ids.length)
      await this.db.query(
        `with dropped as (delete from notification_queue where channel = 'telegram' and user_id = any($1) returning notification_id)
         update notifications n set error = 'unlinked', updated_at = now() from dropped d where n.id = d.notification_id`,
        [ids],
      );
    return rows;
  }

  async chatOf(userId: string): Promise<{ name: string; createdAt: Date } | null> {
    const [row] = await this.db.query<{ name: string; createdAt: Date }>(
      `select name, created_at as "createdAt" from telegram_chats where user_id = $1`,
      [userId],
    );
    return row ?? null;
  }

  async deleteExpired(now: Date): Promise<void> {
    await this.db.query(`delete from telegram_codes where expires_at < $1`, [now]);
  }
}
