import { Injectable } from '@nestjs/common';
import { TICKET_SECONDS, type DownloadTicket } from '@heliograph/contract';
import { SessionKey } from '../../core/auth/session-key.ts';
import { Clock } from '../../core/clock.ts';
import { AppError } from '../../core/errors.ts';

/** Download links that work without a session: `expires.signature`, signed with the session key over the file and the time. */
@Injectable()
export class Tickets {
  constructor(
    private readonly key: SessionKey,
    private readonly clock: Clock,
  ) {}

  async create(fileId: string): Promise<DownloadTicket> {
    const expires = Math.ceil(this.clock.now().getTime() / 1000) + TICKET_SECONDS;
    const ticket = `${expires}.${await this.key.sign(signedText(fileId, expires))}`;
    return {
      url: `/api/storage/${fileId}/content?ticket=${ticket}`,
      expiresAt: new Date(expires * 1000).toISOString(),
    };
  }

  /** Throws `forbidden` unless the ticket was created for this file and has not expired. */
  async verify(fileId: string, ticket: string): Promise<void> {
    const [, expires, signature] = /^(\d{1,12})\.([\w-]{43})$/.exec(ticket) ?? [];
    const isSigned =
      !!signature && (await this.key.isSigned(signedText(fileId, Number(expires)), signature));
    const secondsLeft = Number(expires) - this.clock.now().getTime() / 1000;
    if (!isSigned || secondsLeft <= 0 || secondsLeft > TICKET_SECONDS + 1)
      throw new AppError(
        'forbidden',
        'The download link is invalid or has expired. Request a new one.',
      );
  }
}

const signedText = (fileId: string, expires: number): string =>
  `download ${fileId.toLowerCase()} ${expires}`;
