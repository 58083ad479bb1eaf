import { Injectable } from '@nestjs/common';
import { resendOf, type ResendOf, type SendingInput } from '@heliograph/contract';
import {
  isSuppressible,
  isUuid,
  MAX_ESTIMATED,
  typeCode,
  type SendingType,
} from '@heliograph/domain';
import { Clock } from '../../../core/clock.ts';
import { AppError, assertFound, invalid } from '../../../core/errors.ts';
import { Slices } from '../../../core/slices.ts';
import { AudienceStore, type Audience } from '../audience/audience.store.ts';
import { SegmentsService, type SegmentInLists } from '../../segments/segments.service.ts';
import { SettingsService } from '../../settings/settings.service.ts';
import {
  TasksService,
  type AudienceSegment,
  type ResendCounts,
  type ResendTo,
} from '../../tasks/tasks.service.ts';
import { addressField, readAddress, typesAfterOptOut, type ChainPlan } from '../plan.ts';

/** The recipients of a call, split into contact lists and addresses. */
export interface CallRecipients {
  segments: AudienceSegment[];
  lists: string[];
  typed: string[];
  excludedLists: string[];
  /** Saved filters of contacts, whose lists are among `segments`. */
  savedSegments: { included: SegmentInLists[]; excluded: SegmentInLists[] };
  excludedPhones: ReadonlySet<string>;
  /** Recipients of another bulk: `typed` has the first of them. */
  resend: (ResendCounts & { to: ResendTo; contacts: (string | null)[] }) | null;
  /** Entries that are neither a list nor a phone. */
  invalid: number;
  /** Number of phones without a calling code, by the country whose numbering plan was assumed. */
  assumed: Map<string, number>;
}

/** The forms of `recipient` as one; those of a bulk are not listed. */
export function entriesOf(recipient: SendingInput['recipient']): {
  include: string[];
  exclude: string[];
} {
  if (typeof recipient === 'string') return { include: [recipient], exclude: [] };
  if (Array.isArray(recipient)) return { include: recipient, exclude: [] };
  return 'include' in recipient ? recipient : { include: [], exclude: recipient.exclude };
}

/** Parses `recipient: { include, exclude }` of a bulk and checks that its lists are the owner's. */
@Injectable()
export class RecipientsService {
  constructor(
    private readonly store: AudienceStore,
    private readonly slices: Slices,
    private readonly settings: SettingsService,
    private readonly tasks: TasksService,
    private readonly saved: SegmentsService,
    private readonly clock: Clock,
  ) {}

  /** `origin`: types of the bulk whose recipients are meant. */
  async read(
    OwnerId: string,
    { type, recipient }: SendingInput,
    origin: SendingType[] = [],
  ): Promise<CallRecipients> {
    const { include, exclude } = entriesOf(recipient);
    const excludedPhones = new Set<string>();
    const recipients: CallRecipients = {
      segments: [],
      lists: [],
      typed: [],
      excludedLists: [],
      savedSegments: { included: [], excluded: [] },
      excludedPhones,
      resend: null,
      invalid: 0,
      assumed: new Map(),
    };
    const { country } = await this.settings.sendingRules(OwnerId);
    const saved = await this.savedAmong(OwnerId, [...include, ...exclude]);
    await this.slices.forEach(exclude, (entry) => {
      const segment = saved.get(entry.toLowerCase());
      if (segment) recipients.savedSegments.excluded.push(segment);
      else if (isUuid(entry)) recipients.excludedLists.push(entry.toLowerCase());
      else {
        const read = readAddress(type, entry, country);
        if (read) excludedPhones.add(read.address);
      }
    });
    const lists = new Set<string>();
    await this.slices.forEach(include, (entry) => {
      const segment = saved.get(entry.toLowerCase());
      if (segment) {
        const { included } = recipients.savedSegments;
        if (included.includes(segment)) return;
        included.push(segment);
        recipients.segments.push(...segment.lists.map((list) => ({ list, members: segment.id })));
        return;
      }
      if (isUuid(entry)) {
        const list = entry.toLowerCase();
        if (lists.has(list)) return;
        lists.add(list);
        recipients.segments.push({ list });
        return;
      }
      const read = readAddress(type, entry, country);
      if (!read) {
        recipients.invalid++;
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
      if (assumed) recipients.assumed.set(assumed, (recipients.assumed.get(assumed) ?? 0) + 1);
      const n = recipients.typed.push(address);
      const last = recipients.segments.at(-1);
      if (last && 'phones' in last) last.phones[1] = n;
      else recipients.segments.push({ phones: [n, n] });
    });
    const of = resendOf(recipient);
    if (of) await this.addResend(recipients, of, type, origin);
    recipients.lists = [...lists];
    await this.checkLists(OwnerId, [...recipients.lists, ...recipients.excludedLists]);
    if (!recipients.segments.length)
      throw new AppError('no_recipients', 'There is no one to send to', {
        payload: recipients.resend ? { skipped: recipients.resend.skipped } : undefined,
      });
    return recipients;
  }

  async audience(OwnerId: string, plan: ChainPlan, recipients: CallRecipients): Promise<Audience> {
    const { type } = plan.attempts[0]!;
    const { blacklists, hasOptOuts } = await this.store.lists(OwnerId, []);
    const { locale } = await this.settings.sendingRules(OwnerId);
    return {
      OwnerId,
      taskId: null,
      segments: recipients.segments,
      savedSegments: recipients.savedSegments,
      membership: { at: this.clock.now(), ...(await this.settings.readingOf(OwnerId)) },
      typed: recipients.typed,
      contacts: recipients.resend?.contacts ?? null,
      meanwhile: null,
      excludedLists: recipients.excludedLists,
      excludedPhones: recipients.excludedPhones,
      blacklists,
      optOut:
        hasOptOuts && isSuppressible(type)
          ? { OwnerId, type: typeCode(type), next: typesAfterOptOut(plan) }
          : null,
      slice: null,
      lastContact: null,
      locale,
    };
  }

  /** The account's segments among the entries, by their ids. */
  private async savedAmong(
    OwnerId: string,
    entries: string[],
  ): Promise<Map<string, SegmentInLists>> {
    const ids = [...new Set(entries.filter(isUuid).map((id) => id.toLowerCase()))];
    const found = await this.saved.inLists(OwnerId, ids);
    return new Map(found.map((segment) => [segment.id, segment]));
  }

  private async addResend(
    recipients: CallRecipients,
    of: ResendOf,
    type: SendingType,
    origin: SendingType[],
  ): Promise<void> {
    const types = [...new Set([type, ...origin])].map(typeCode);
    const to = { ...of, field: addressField(type), types };
    const { addresses, ...resend } = await this.tasks.resendRecipients(to, MAX_ESTIMATED);
    recipients.resend = { ...resend, to };
    recipients.typed = addresses;
    if (resend.count) recipients.segments.push({ phones: [1, resend.count] });
  }

  private async checkLists(OwnerId: string, lists: string[]): Promise<void> {
    if (!lists.length) return;
    assertFound('Contact list', lists, await this.store.findLists(OwnerId, lists));
  }
}
