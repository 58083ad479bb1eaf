import { Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';

/** Throws `unauthorized` unless the body was signed by the carrier of the channel. */
export type VerifyCarrier = (headers: IncomingHttpHeaders, bytes: Buffer) => void;

/** Finds a channel by name before the body is read. Throws if the channel accepts no reports. */
export type OpenChannel = (name: string) => Promise<VerifyCarrier>;

/** Verifies signatures of carriers for the guard. The channels feature registers the implementation. */
@Injectable()
export class Carriers {
  private openChannel?: OpenChannel;

  use(openChannel: OpenChannel): void {
    this.openChannel = openChannel;
  }

  open(name: string): Promise<VerifyCarrier> {
    if (!this.openChannel) throw new Error('No carrier verification is registered');
    return this.openChannel(name);
  }
}
