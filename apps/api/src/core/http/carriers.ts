import { Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';

/** Refuses what was not signed by the carrier of the channel. */
export type VerifyCarrier = (headers: IncomingHttpHeaders, bytes: Buffer) => void;

/** Knows a channel by its name, before the body is read; refuses one that nobody reports for. */
export type OpenChannel = (name: string) => Promise<VerifyCarrier>;

/** How the guard asks for the signature of a carrier: the feature that has the channels says here how. */
@Injectable()
export class Carriers {
  private openChannel?: OpenChannel;

  use(openChannel: OpenChannel): void {
    this.openChannel = openChannel;
  }

  open(name: string): Promise<VerifyCarrier> {
    if (!this.openChannel) throw new Error('No feature has said how carriers are verified');
    return this.openChannel(name);
  }
}
