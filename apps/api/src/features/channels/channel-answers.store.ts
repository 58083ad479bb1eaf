import { Injectable } from '@nestjs/common';
import { Db } from '../../core/db/db.ts';

/** What a channel has to say in a chat. */
export interface OwedAnswer {
  channel: string;
  chat: string;
  answer: string;
}

@Injectable()
export class ChannelAnswersStore {
  constructor(private readonly db: Db) {}

  /** In place of what was to be said there before. */
  async owe({ channel, chat, answer }: OwedAnswer, now: Date): Promise<void> {
    await this.db.query(
      `insert into channel_answers (channel, chat, answer, since, due_at) values ($1, $2, $3, $4, $4)
       on conflict (channel, chat) do update set answer = excluded.answer, since = excluded.since, due_at = excluded.due_at`,
      [channel, chat, answer, now],
    );
  }

  async due(now: Date, limit: number): Promise<OwedAnswer[]> {
    return this.db.query<OwedAnswer>(
      `select channel, chat, answer from channel_answers where due_at <= $1 order by due_at limit $2`,
      [now, limit],
    );
  }

  /** It was said, or cannot be; unless something else is to be said by now. */
  async remove({ channel, chat, answer }: OwedAnswer): Promise<void> {
    await this.db.query(
      `delete from channel_answers where channel = $1 and chat = $2 and answer = $3`,
      [channel, chat, answer],
    );
  }

  /** Nothing is said over the channel until a time. What was to be said before another is given up. */
  async postpone(channel: string, until: Date, before: Date): Promise<void> {
    await this.db.query(`delete from channel_answers where channel = $1 and since < $2`, [
      channel,
      before,
    ]);
    await this.db.query(
      `update channel_answers set due_at = $2 where channel = $1 and due_at < $2`,
      [channel, until],
    );
  }
}
