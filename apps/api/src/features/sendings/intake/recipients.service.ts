import { Injectable } from '@nestjs/common';
import type { SendingInput } from '@heliograph/contract';
import { isUuid } from '@heliograph/domain';
import { Db } from '../../../core/db/db.ts';
import { AppError, assertFound, invalid } from '../../../core/errors.ts';
import { Slices } from '../../../core/slices.ts';
import { AudienceStore, type Audience, type Segment } from '../audience/audience.store.ts';
import { SettingsService } from '../../settings/settings.service.ts';
import { readAddress } from '../plan.ts';

/** The recipients of a call, sorted into lists and phones. */
export interface Asked {
  segments: Segment[];
  lists: string[];
  typed: string[];
  excludedLists: string[];
  excludedPhones: ReadonlySet<string>;
  /** Entries that are neither a list nor a phone. */
  invalid: number;
  /** Phones without a calling code, by the country whose plan they were read by. */
  assumed: Map<string, number>;
}

/** The three forms of a call's recipients as one. */
export function entriesOf(recipient: SendingInput['recipient']): {
  include: string[];
  exclude: string[];
} {
  if (typeof recipient === 'string') return { include: [recipient], exclude: [] };
  return Array.isArray(recipient) ? { include: recipient, exclude: [] } : recipient;
}

/** Reads `recipient: { include, exclude }` of a bulk and checks that its lists are the owner's. */
@Injectable()
export class RecipientsService {
  constructor(
    private readonly db: Db,
    private readonly store: AudienceStore,
    private readonly slices: Slices,
    private readonly settings: SettingsService,
  ) {}

  async read(OwnerId: string, { type, recipient }: SendingInput): Promise<Asked> {
    const { include, exclude } = entriesOf(recipient);
    const excludedPhones = new Set<string>();
    const asked: Asked = {
      segments: [],
      lists: [],
      typed: [],
      excludedLists: [],
      excludedPhones,
      invalid: 0,
      assumed: new Map(),
    };
    const { country } = await this.settings.sendingRules(OwnerId);
    await this.slices.forEach(exclude, (entry) => {
      if (isUuid(entry)) asked.excludedLists.push(entry.toLowerCase());
      else {
        const read = readAddress(type, entry, country);
        if (read) excludedPhones.add(read.address);
      }
    });
    const lists = new Set<string>();
    await this.slices.forEach(include, (entry) => {
      if (isUuid(entry)) {
        const list = entry.toLowerCase();
        if (lists.has(list)) return;
        lists.add(list);
        asked.segments.push({ list });
        return;
      }
      const read = readAddress(type, entry, country);
      if (!read) {
        asked.invalid++;
        return;
      }
      const { address, assumed } = read;
      if (excludedPhones.has(address)) {
        throw invalid(
          'recipient.exclude',
          'both',
          `The recipient ${address} is both included and excluded.`,
        );
      }
      if (assumed) asked.assumed.set(assumed, (asked.assumed.get(assumed) ?? 0) + 1);
      const n = asked.typed.push(address);
      const last = asked.segments.at(-1);
      if (last && 'phones' in last) last.phones[1] = n;
      else asked.segments.push({ phones: [n, n] });
    });
    asked.lists = [...lists];
    await this.checkLists(OwnerId, [...asked.lists, ...asked.excludedLists]);
    if (!asked.segments.length) throw new AppError('no_recipients', 'There is no one to send to');
    return asked;
  }

  async audience(OwnerId: string, asked: Asked): Promise<Audience> {
    return {
      taskId: null,
      segments: asked.segments,
      typed: asked.typed,
      excludedLists: asked.excludedLists,
      excludedPhones: asked.excludedPhones,
      blacklists: await this.store.blacklists(OwnerId),
      lastContact: null,
    };
  }

  private async checkLists(OwnerId: string, lists: string[]): Promise<void> {
    if (!lists.length) return;
    const found = await this.db.query<{ id: string }>(
      `select id from contact_lists where id = any($1) and owner_id = $2`,
      [lists, OwnerId],
    );
    assertFound('Contact list', lists, found);
  }
}
