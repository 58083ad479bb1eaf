import { Injectable } from '@nestjs/common';
import {
  MAX_NAMES_OF_CHANNEL,
  type ChannelSendername as Wire,
  type ChannelSendernamesAdded,
  type ChannelSendernamesInput,
  type channelSendernames,
  type Page,
  type RegistrationResult,
  type SendernameChannel,
} from '@heliograph/contract';
import {
  registeredNameErrors,
  senderKey,
  type RegisteredAt,
  type RegisteredNames,
} from '@heliograph/domain';
import { Audit } from '../../core/audit/audit.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import type { In } from '../../core/http/endpoint.ts';
import { ChannelsService } from '../channels/channels.service.ts';
import { present } from './channel-sendername.entity.ts';
import {
  ChannelSendernamesStore,
  type GivenFields,
  type GivenName,
} from './channel-sendernames.store.ts';

/** Names that are read with one statement; between two of them the process does other work. */
const READ_SIZE = 10_000;
/** Names that a record of the audit log lists. */
const MAX_AUDITED = 20;

/** A channel that needs a registration, and the revision of its names. */
export interface NamesHead {
  channel: string;
  revision: number;
}

/** Sender names that are registered at the carriers of channels. What they decide: `packages/domain/src/channel-names.ts`. */
@Injectable()
export class ChannelSendernamesService {
  /** By channel: the names of a revision. */
  private readonly kept = new Map<string, { revision: number; names: RegisteredNames }>();

  constructor(
    private readonly db: Db,
    private readonly store: ChannelSendernamesStore,
    private readonly channels: ChannelsService,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  /** The names of channels. Those of a channel are read again when its revision is another one. */
  async registered(heads: readonly NamesHead[]): Promise<RegisteredAt> {
    const registered = new Map<string, RegisteredNames>();
    for (const { channel, revision } of heads) {
      const kept = this.kept.get(channel);
      const names = kept?.revision === revision ? kept.names : await this.read(channel);
      // The revision was read first: names that are newer are only read once more.
      if (kept?.revision !== revision) this.kept.set(channel, { revision, names });
      registered.set(channel, names);
    }
    for (const channel of this.kept.keys()) if (!registered.has(channel)) this.kept.delete(channel);
    return registered;
  }

  async find(
    channel: string,
    query: In<typeof channelSendernames.find>['query'],
  ): Promise<Page<Wire>> {
    await this.channels.get(channel);
    const page = await this.store.findOf(channel, query);
    return { ...page, data: page.data.map(present) };
  }

  /** The channels where a name of an account is registered, and those that need it to be. */
  async channelsOf({ type, name }: { type: 'sms' | 'voice'; name: string }): Promise<{
    data: SendernameChannel[];
  }> {
    const rows = await this.store.channelsOf(senderKey(type, name));
    return { data: rows.map((row) => ({ ...row, since: row.since?.toISOString() ?? null })) };
  }

  add(
    channel: string,
    { names, type, since, note }: ChannelSendernamesInput,
  ): Promise<ChannelSendernamesAdded> {
    const now = this.clock.now();
    const fields: GivenFields = {
      type,
      since: since ? new Date(since) : null,
      note: note === '' ? null : note,
    };
    const given = names.map((name) => ({ name, key: senderKey(type, name) }));
    return this.db.transaction(async () => {
      await this.store.lockChannel(channel);
      const keys = [...new Set(given.map(({ key }) => key))];
      const known = await this.store.known(channel, keys, fields);
      let room = MAX_NAMES_OF_CHANNEL - (await this.store.count(channel));
      const seen = new Set<string>();
      const results = given.map(({ name, key }): ChannelSendernamesAdded['results'][number] => {
        const resultOf = (): RegistrationResult => {
          if (registeredNameErrors(type, name).length) return 'invalid';
          if (seen.has(key)) return 'repeated';
          seen.add(key);
          const former = known.get(key);
          if (former) return former.differs ? 'updated' : 'unchanged';
          return room-- > 0 ? 'added' : 'full';
        };
        return { name, result: resultOf() };
      });
      const withResult = (wanted: RegistrationResult): GivenName[] =>
        given.filter((_, i) => results[i]!.result === wanted);
      const [added, updated] = [withResult('added'), withResult('updated')];
      if (added.length) await this.store.add(channel, added, fields, now);
      if (updated.length)
        await this.store.change(
          channel,
          updated.map(({ key }) => key),
          fields,
        );
      if (added.length + updated.length) await this.store.advance(channel);
      await this.audit.record({
        target: ['channels', channel],
        after: {
          type,
          since: fields.since ?? now,
          added: added.length,
          updated: updated.length,
          names: [...added, ...updated].slice(0, MAX_AUDITED).map(({ name }) => name),
        },
      });
      return { results };
    });
  }

  remove(channel: string, id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      await this.store.lockChannel(channel);
      const { type, name, since } = await this.store.getOf(channel, id);
      await this.store.removeOf(channel, id);
      await this.store.advance(channel);
      await this.audit.record({ target: ['channels', channel], before: { type, name, since } });
      return { id };
    });
  }

  private async read(channel: string): Promise<RegisteredNames> {
    const names = new Map<string, number>();
    for (let after = ''; ;) {
      const rows = await this.store.names(channel, after, READ_SIZE);
      for (const { key, since } of rows) names.set(key, since);
      if (rows.length < READ_SIZE) return names;
      after = rows.at(-1)!.key;
    }
  }
}
