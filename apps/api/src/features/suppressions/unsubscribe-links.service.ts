import { Injectable } from '@nestjs/common';
import { unsubscribeLink } from '@heliograph/domain';
import { SecretBox } from '../../core/auth/secret-box.ts';
import { SignedIds } from '../../core/auth/signed-ids.ts';
import { Config } from '../../core/config.ts';

/** The link of a message: `https://app.example/u/<id of the message and its signature>`. */
export type UnsubscribeLink = (SendingId: string) => string;

/** Signed links by which recipients unsubscribe. */
@Injectable()
export class UnsubscribeLinksService {
  private readonly ids: SignedIds;

  constructor(
    box: SecretBox,
    private readonly config: Config,
  ) {
    this.ids = new SignedIds(box, 'unsubscribe');
  }

  async link(): Promise<UnsubscribeLink> {
    const sign = await this.ids.signer();
    return (id) => unsubscribeLink(this.config.publicUrl, sign(id));
  }

  /** The id of the message; null if the token is not genuine. */
  read(token: string): Promise<string | null> {
    return this.ids.read(token);
  }
}
