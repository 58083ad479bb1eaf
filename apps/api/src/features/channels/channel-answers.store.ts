import { Injectable } from '@nestjs/common';
import { Db } from '../../core/db/db.ts';

/** What a channel has to say in a chat. */
export interface OwedAnswer {
  channel: string;
  chat: string;
  answer: string;
}

/** One that was read; a later one of the same words is another. */
export interface DueAnswer extends OwedAnswer {
  since: Date;
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

  /** The oldest of each channel, so that a crowd at one keeps nobody waiting at another. */
  due(now: Date, limitOfChannel: number): Promise<DueAnswer[]> {
    return this.db.query<DueAnswer>(
      `select channel, chat, answer, since from (
         select a.*, row_number() over (partition by channel order by due_at) as n from channel_answers a where due_at <= $1) due
        where n <= $2 order by due_at`,
      [now, limitOfChannel],
    );
  }

  /** What was to be said before a time is given up. */
  async giveUp(before: Date): Promise<void> {
    await this.db.query(`delete from channel_answers where since < $1`, [before]);
  }

  /** It was said, or cannot be; unless something else is to be said by now. */
  async remove({ channel, chat, since }: DueAnswer): Promise<void> {
    await this.db.query(
      `delete from channel_answers where channel = $1 and chat = $2 and since = $3`,
      [channel, chat, since],
    );
  }

  /** Nothing is said over the channel until a time. */
  async postpone(channel: string, until: Date): Promise<void> {
    await this.db.query(
      `update channel_answers set due_at = $2 where channel = $1 and due_at < $2`,
      [channel, until],
    );
  }
}
