import type { ChannelDomain } from '@heliograph/contract';
import { Injectable } from '@nestjs/common';
import { Resolver } from 'node:dns/promises';

import type { DnsRecord } from '../../channels/channel.ts';
import { ChannelsService } from './channels.service.ts';

const TIMEOUT_MS = 2_000;
const MAX_FOUND = 5;
const MAX_TEXT = 1_000;
/** Answers that say that there is none. */
const NONE = new Set(['ENOTFOUND', 'ENODATA']);

/** Asks the resolvers of the machine. */
@Injectable()
export class DnsLookups {
  /** Empty if there is no such record; throws if nobody knows. */
  async find(name: string, type: DnsRecord['type']): Promise<string[]> {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 });
    try {
      if (type === 'TXT') return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
      const servers = await resolver.resolveMx(name);
      return servers.map(({ priority, exchange }) => `${priority} ${exchange}`);
    } catch (error) {
      if (NONE.has((error as NodeJS.ErrnoException).code ?? '')) return [];
      throw error;
    }
  }
}

/** Compares what a channel needs in the DNS with what is there. */
@Injectable()
export class DomainCheckService {
  constructor(
    private readonly channels: ChannelsService,
    private readonly lookups: DnsLookups,
  ) {}

  async check(channel: string): Promise<ChannelDomain> {
    const facts = await this.channels.facts(channel);
    return { records: await Promise.all((facts?.records ?? []).map((one) => this.look(one))) };
  }

  private async look(record: DnsRecord): Promise<ChannelDomain['records'][number]> {
    const { kind, type, names, wanted, prefix, isRight } = record;
    const shown = { kind, type, name: names[0]!, wanted };
    try {
      for (const name of names) {
        const all = await this.lookups.find(name, type);
        const found = all.filter((text) => text.toLowerCase().startsWith(prefix.toLowerCase()));
        if (!found.length) continue;
        // Two records of one kind are none to a receiver.
        const isOne = type === 'MX' || found.length === 1;
        return {
          ...shown,
          name,
          found: found.slice(0, MAX_FOUND).map((text) => text.slice(0, MAX_TEXT)),
          state: isOne && found.every(isRight) ? 'right' : 'wrong',
        };
      }
      return { ...shown, found: [], state: 'missing' };
    } catch {
      return { ...shown, found: [], state: 'unknown' };
    }
  }
}
