import type { Chats } from '../../src/channels/channel.ts';

/** For channels without chats. */
export const NO_CHATS: Chats = {
  of: () => Promise.reject(new Error('no chats')),
  end: () => Promise.reject(new Error('no chats')),
};

/** The chats of a test, by phone number. */
export class KnownChats implements Chats {
  readonly ended: string[] = [];
  isAway = false;

  constructor(private readonly byPhone: Record<string, string>) {}

  of(phones: readonly string[]): Promise<Map<string, string>> {
    if (this.isAway) return Promise.reject(new Error('The store is away'));
    const known = Object.entries(this.byPhone);
    return Promise.resolve(new Map(known.filter(([phone]) => phones.includes(phone))));
  }

  end(chat: string): Promise<void> {
    this.ended.push(chat);
    return this.isAway ? Promise.reject(new Error('The store is away')) : Promise.resolve();
  }
}
