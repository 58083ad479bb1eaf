import { Injectable } from '@nestjs/common';
import type { ChatCall, Chats } from '../../channels/channel.ts';
import { Clock } from '../../core/clock.ts';
import { ChannelChatsStore } from './channel-chats.store.ts';

/** The chats that people have opened with channels, by their phone numbers. */
@Injectable()
export class ChannelChats {
  constructor(
    private readonly store: ChannelChatsStore,
    private readonly clock: Clock,
  ) {}

  /** What an open channel knows of its chats. */
  of(channel: string): Chats {
    return {
      of: async (phones) => {
        const rows = await this.store.ofPhones(channel, phones);
        return new Map(rows.map(({ phone, chat }) => [phone, chat]));
      },
      end: (chat) => this.store.end(channel, chat, this.clock.now()),
    };
  }

  /** Keeps what a person has done in a chat. Returns the phone number of the chat; null if it has none. */
  async receive(channel: string, { chat, at, phone, hasEnded }: ChatCall): Promise<string | null> {
    // A carrier with a wrong clock must not decide for the future.
    const now = this.clock.now();
    const when = at < now ? at : now;
    if (hasEnded) await this.store.end(channel, chat, when);
    if (phone) await this.store.link(channel, { chat, phone }, when);
    return this.store.phoneOf(channel, chat);
  }
}
