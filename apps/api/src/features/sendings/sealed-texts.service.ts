import { Injectable } from '@nestjs/common';
import type { OutgoingMessage } from '../../channels/channel.ts';
import { SecretBox } from '../../core/auth/secret-box.ts';
import { Clock } from '../../core/clock.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { SealedTextsStore, type SealedText } from './sealed-texts.store.ts';

interface SealedChain {
  chainId: string;
  texts: (string | null)[];
  expiresAt: Date;
}

const CLEANUP_BATCH_SIZE = 1000;

/** Encrypts the texts of messages that hold a secret, and decrypts them for the carrier. */
@Injectable()
export class SealedTexts {
  constructor(
    private readonly clock: Clock,
    private readonly box: SecretBox,
    private readonly store: SealedTextsStore,
  ) {}

  /** `texts` by attempt; null for attempts without a text. */
  async put(chains: SealedChain[]): Promise<void> {
    const sealed: SealedText[] = [];
    for (const { chainId, texts, expiresAt } of chains)
      for (const [attempt, text] of texts.entries()) {
        if (text === null) continue;
        const purpose = purposeOf(chainId, attempt);
        sealed.push({ chainId, attempt, sealed: await this.box.seal(text, purpose), expiresAt });
      }
    if (sealed.length) await this.store.put(sealed);
  }

  /** The messages as they are submitted, with their texts (`textsOf`); null if one of these has expired. */
  reveal(
    messages: OutgoingMessage[],
    texts: ReadonlyMap<string, string>,
  ): OutgoingMessage[] | null {
    const revealed = messages.map((message) => {
      if (message.payload.text === undefined) return message;
      const text = texts.get(message.reference);
      return text === undefined ? null : { ...message, payload: { ...message.payload, text } };
    });
    return revealed.includes(null) ? null : (revealed as OutgoingMessage[]);
  }

  /** The texts that are still kept, by message. */
  async textsOf(ids: string[]): Promise<Map<string, string>> {
    const texts = new Map<string, string>();
    for (const { id, chainId, attempt, sealed } of await this.store.ofSendings(
      ids,
      this.clock.now(),
    ))
      texts.set(id, await this.box.open(sealed, purposeOf(chainId, attempt)));
    return texts;
  }

  remove(chainIds: string[]): Promise<void> {
    return this.store.remove(chainIds);
  }

  @Sweeps(60_000)
  async deleteExpired(): Promise<boolean> {
    const deleted = await this.store.deleteExpired(this.clock.now(), CLEANUP_BATCH_SIZE);
    return deleted === CLEANUP_BATCH_SIZE;
  }
}

const purposeOf = (chainId: string, attempt: number) => `sealed text ${chainId} ${attempt}`;
