import { Reassembly, type WholeMessage } from '@heliograph/smpp';

import { currentTime } from '../../core/time.ts';
import type { CarrierMessage, Inbox } from '../channel.ts';
import { Collector } from './collector.ts';

/** Messages of people to one channel. Their parts come over any of its sessions, so that the sessions of a process share this. */
export class ReceivedMessages {
  private static readonly open = new Map<string, ReceivedMessages>();

  readonly reassembly: Reassembly;
  private readonly messages: Collector<CarrierMessage>;
  private sessions = 0;

  private constructor(
    private readonly channel: string,
    inbox: Inbox,
  ) {
    this.messages = new Collector((items) => inbox.messages(items));
    this.reassembly = new Reassembly({ deliver: (message) => this.add(message) });
  }

  /** For one more session of the channel, which leaves it at its end. */
  static of(channel: string, inbox: Inbox): ReceivedMessages {
    const received = this.open.get(channel) ?? new ReceivedMessages(channel, inbox);
    this.open.set(channel, received);
    received.sessions++;
    return received;
  }

  /** A message that is whole. Resolves when it is stored. */
  add({ from, to, text }: WholeMessage): Promise<void> {
    return this.messages.add({ from, to, text, at: new Date(currentTime()) });
  }

  /** The last session delivers what has come of messages that are not whole. */
  async leave(): Promise<void> {
    if (--this.sessions > 0) return;
    ReceivedMessages.open.delete(this.channel);
    await this.reassembly.flush();
  }
}
