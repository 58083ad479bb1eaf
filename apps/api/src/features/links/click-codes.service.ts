import { Injectable } from '@nestjs/common';
import { MAX_CLICK_NUMBER, readClickCode, writeClickCode } from '@heliograph/domain';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { ownScope } from '../../core/auth/actor.ts';
import { SecretBox } from '../../core/auth/secret-box.ts';
import { invalid } from '../../core/errors.ts';
import { ClickCodesStore, type FirstClick } from './click-codes.store.ts';
import { LinksService } from './links.service.ts';
import { Shortener } from './shortener.ts';

export { DELETED_TEXT, hasTextSql } from './click-codes.store.ts';
export type { FirstClick };

const MAC_BYTES = 6;

/** A recipient of a bulk that tells who clicked. */
export interface ClickRecipient {
  task: number;
  number: number;
}

/** The short links of a bulk, whose clicks are told by recipient. */
export interface ClickLinks {
  ids: string[];
  shortUrls: string[];
}

/** Codes behind short links that tell who clicked. docs/decisions/192-who-clicked.md. */
@Injectable()
export class ClickCodesService {
  private loaded: Promise<Buffer[]> | null = null;

  constructor(
    private readonly box: SecretBox,
    private readonly links: LinksService,
    private readonly shortener: Shortener,
    private readonly store: ClickCodesStore,
  ) {}

  /** The account's short links in texts. */
  async linksIn(OwnerId: string, texts: string): Promise<ClickLinks> {
    if (this.shortener.isConfigured)
      throw invalid(
        'options.tellsWhoClicked',
        'unsupported',
        'Another service answers the short links of this installation, and does not tell who clicked.',
      );
    const found = await this.links.inText({ scope: ownScope(OwnerId) }, texts);
    return { ids: found.map(({ id }) => id), shortUrls: found.map(({ shortUrl }) => shortUrl) };
  }

  /** The number of a bulk, in the transaction that writes its task. */
  addTask(taskId: string, { ids }: ClickLinks): Promise<number> {
    return this.store.addTask(taskId, ids);
  }

  /** The code of each recipient of a bulk, by the position in it. */
  async codesOf(task: number): Promise<(position: number) => string> {
    const [key] = await this.keys();
    return (position) => {
      const number = Math.min(position, MAX_CLICK_NUMBER);
      const mac = BigInt(`0x${macOf({ task, number }, key!).toString('hex')}`);
      return writeClickCode({ task, number, mac });
    };
  }

  /** Keeps which messages the recipients from the position `first` on have; null for those who are skipped. */
  async addRecipients(task: number, first: number, sendingIds: (string | null)[]): Promise<void> {
    const coded = sendingIds.slice(0, Math.max(0, MAX_CLICK_NUMBER - first));
    if (coded.some((id) => id !== null)) await this.store.addRecipients(task, first, coded);
  }

  /** Null if the code is not genuine. */
  async read(code: string): Promise<ClickRecipient | null> {
    const given = readClickCode(code);
    if (!given) return null;
    const { task, number } = given;
    const mac = Buffer.from(given.mac.toString(16).padStart(2 * MAC_BYTES, '0'), 'hex');
    for (const key of await this.keys())
      if (timingSafeEqual(macOf({ task, number }, key), mac)) return { task, number };
    return null;
  }

  /** How many recipients of a bulk clicked each of its links, and any of them. */
  async recipientsOf(taskId: string): Promise<{ any: number; of: Map<string, number> }> {
    const rows = await this.store.recipientsOf(taskId);
    return {
      any: rows.find(({ linkId }) => linkId === null)?.count ?? 0,
      of: new Map(rows.flatMap(({ linkId, count }) => (linkId ? [[linkId, count]] : []))),
    };
  }

  /** The first click of a recipient on each link of their message. */
  clicksOf(sendingId: string): Promise<FirstClick[]> {
    return this.store.clicksOf(sendingId);
  }

  private keys(): Promise<Buffer[]> {
    this.loaded ??= this.box.keysFor('click codes').catch((error: unknown) => {
      this.loaded = null;
      throw error;
    });
    return this.loaded;
  }
}

function macOf({ task, number }: ClickRecipient, key: Buffer): Buffer {
  const recipient = Buffer.alloc(8);
  recipient.writeUInt32BE(task);
  recipient.writeUInt32BE(number, 4);
  return createHmac('sha256', key).update(recipient).digest().subarray(0, MAC_BYTES);
}
