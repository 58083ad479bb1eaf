import { Injectable } from '@nestjs/common';
import {
  MAX_REPLY_MINUTES,
  replyHold,
  type InboundHold,
  type InboundMessage,
} from '@heliograph/domain';
import { Clock } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { AutoRepliesService, type ReplyOutcome } from '../auto-replies/auto-replies.service.ts';
import { SendingsService } from '../sendings/sendings.service.ts';
import { SuppressionsService } from '../suppressions/suppressions.service.ts';
import type { InboundRule } from './inbound-rule.entity.ts';
import { InboundRepliesStore, type Claim } from './inbound-replies.store.ts';

/** A message whose rule replies. */
export interface Reply<M extends Incoming = Incoming> {
  rule: InboundRule;
  message: M;
}

/** `code` is the stored integer of the type; `tokenId` the token that added the message by a call. */
export type Incoming = InboundMessage & { code: number; tokenId: string | null };

const MINUTE_MS = 60_000;

/** Decides which replies of rules are sent. */
@Injectable()
export class InboundRepliesService {
  constructor(
    private readonly store: InboundRepliesStore,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly replies: AutoRepliesService,
    private readonly sendings: SendingsService,
    private readonly suppressions: SuppressionsService,
  ) {}

  /** Writes the replies of messages of one account, in the transaction that handles these. Why each is held back, or null. */
  async send(OwnerId: string, all: Reply[]): Promise<(InboundHold | null)[]> {
    const holds = await this.holds(OwnerId, all);
    const open = all.filter((_, i) => holds[i] === null);
    if (!open.length) return holds;
    // Another transaction may have replied meanwhile: this statement decides.
    const isClaimed = await this.store.claim(open.map(claimOf), this.clock.now());
    const sent = open.filter((reply) => isClaimed(claimOf(reply)));
    if (sent.length)
      await this.replies.add(
        sent.map(({ rule, message }) => ({
          OwnerId,
          type: message.code,
          sender: message.to,
          address: message.from,
          text: rule.replyText!,
          RuleId: rule.id,
          // The caller that adds a message causes its reply.
          tokenId: message.tokenId ?? rule.TokenId,
        })),
      );
    return all.map((reply, i) => holds[i] ?? (isClaimed(claimOf(reply)) ? null : 'cooldown'));
  }

  /** Why each reply would be held back, in the order of the messages. Nothing is written. */
  async holds(OwnerId: string, all: Reply[]): Promise<(InboundHold | null)[]> {
    if (!all.length) return [];
    const messages = [...new Set(all.map(({ message }) => message))];
    const addresses = [...new Set(messages.map(({ from }) => from))];
    const suppressed = await this.suppressions.areSuppressed(
      messages.map(({ from, code }) => ({ OwnerId, address: from, type: code })),
    );
    const isSuppressed = new Map(messages.map((message, i) => [message, suppressed[i]!]));
    const ownNumbers = await this.store.ownNumbers(OwnerId, addresses);
    const lastTexts = Map.groupBy(
      await this.sendings.lastTexts(OwnerId, addresses),
      ({ address }) => address,
    );
    const { byPerson, inHour } = await this.replies.counts(OwnerId, addresses);
    const isCooling = await this.store.cooling(distinct(all.map(claimOf)), this.clock.now());

    let repliesLeft = this.config.REPLIES_PER_HOUR - inHour;
    const answered = new Set<Incoming>();
    const claimed = new Set<string>();
    return all.map((reply) => {
      const { message } = reply;
      const claim = claimOf(reply);
      if (answered.has(message)) return 'already_replied';
      const repliesToPerson = byPerson.get(message.from) ?? 0;
      const hold = replyHold(message, {
        isSuppressed: isSuppressed.get(message)!,
        isOwnNumber: ownNumbers.has(message.from),
        lastTexts: lastTexts.get(message.from)?.map(({ text }) => text) ?? [],
        repliesToPerson,
        repliesLeft,
        isCooling: isCooling(claim) || claimed.has(keyOf(claim)),
      });
      if (hold) return hold;
      answered.add(message);
      claimed.add(keyOf(claim));
      byPerson.set(message.from, repliesToPerson + 1);
      repliesLeft--;
      return null;
    });
  }

  /** A reply that was refused does not use up the minutes of its rule. */
  refused({ RuleId, addresses, at }: ReplyOutcome): Promise<void> {
    return this.store.release(RuleId, addresses, at);
  }

  @Sweeps(MINUTE_MS)
  deleteOldClaims(): Promise<boolean> {
    const before = new Date(this.clock.now().getTime() - MAX_REPLY_MINUTES * MINUTE_MS);
    return this.store.deleteBefore(before);
  }
}

const claimOf = ({ rule, message }: Reply): Claim => ({
  RuleId: rule.id,
  address: message.from,
  minutes: rule.replyMinutes,
});
const keyOf = ({ RuleId, address }: Claim): string => `${RuleId} ${address}`;
const distinct = (claims: Claim[]): Claim[] => [
  ...new Map(claims.map((claim) => [keyOf(claim), claim])).values(),
];
