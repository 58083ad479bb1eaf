import { Injectable } from '@nestjs/common';
import { Db } from '../../core/db/db.ts';

/** A chat of a channel, and the phone number that it is of. */
export interface ChatOfPhone {
  chat: string;
  phone: string;
}

@Injectable()
export class ChannelChatsStore {
  constructor(private readonly db: Db) {}

  async ofPhones(channel: string, phones: readonly string[]): Promise<ChatOfPhone[]> {
    return this.db.query<ChatOfPhone>(
      `select phone, chat from channel_chats where channel = $1 and phone = any($2)`,
      [channel, phones],
    );
  }

  async phoneOf(channel: string, chat: string): Promise<string | null> {
    const [row] = await this.db.query<{ phone: string }>(
      `select phone from channel_chats where channel = $1 and chat = $2`,
      [channel, chat],
    );
    return row?.phone ?? null;
  }

  /**
   * The chat becomes that of the number, in place of what either was before; unless one of them has changed after that time. In a
   * transaction of its own, or of the caller.
   */
  async link(channel: string, { chat, phone }: ChatOfPhone, since: Date): Promise<void> {
    const values = [channel, chat, phone, since];
    await this.db.transaction(async () => {
      // Two people may share the same number at once: one after the other.
      await this.db.query(`select pg_advisory_xact_lock(hashtextextended($1, 378))`, [channel]);
      await this.db.query(
        `delete from channel_chats where channel = $1 and (chat = $2 or phone = $3) and since <= $4`,
        values,
      );
      await this.db.query(
        `insert into channel_chats (channel, chat, phone, since) values ($1, $2, $3, $4) on conflict do nothing`,
        values,
      );
    });
  }

  /** The chat is nobody's, unless it has become a number's after that time. */
  async end(channel: string, chat: string, at: Date): Promise<void> {
    await this.db.query(
      `delete from channel_chats where channel = $1 and chat = $2 and since <= $3`,
      [channel, chat, at],
    );
  }
}
