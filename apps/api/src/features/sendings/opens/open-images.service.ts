import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../../core/auth/secret-box.ts';
import { SignedIds } from '../../../core/auth/signed-ids.ts';
import { Config } from '../../../core/config.ts';
import { EmailSettingsService } from '../../email-settings/email-settings.service.ts';

/** Addresses of the images by which formatted e-mails tell that they are opened: `https://app.example/o/<signed id of the message>`. */
@Injectable()
export class OpenImagesService {
  private readonly ids: SignedIds;

  constructor(
    box: SecretBox,
    private readonly config: Config,
    private readonly settings: EmailSettingsService,
  ) {
    this.ids = new SignedIds(box, 'opened e-mails');
  }

  /** Those of messages whose accounts are told, by message. */
  async of(
    messages: readonly { id: string; OwnerId: string }[],
  ): Promise<ReadonlyMap<string, string>> {
    const telling = await this.settings.tellingOpened(messages.map(({ OwnerId }) => OwnerId));
    const told = messages.filter(({ OwnerId }) => telling.has(OwnerId));
    const sign = await this.ids.signer();
    return new Map(told.map(({ id }) => [id, `${this.config.publicUrl}/o/${sign(id)}`]));
  }

  /** The id of the message; null if the token is not genuine. */
  read(token: string): Promise<string | null> {
    return this.ids.read(token);
  }
}
