import { setTimeout as sleep } from 'node:timers/promises';

import type { CarrierReply, CarrierReport } from '@heliograph/domain';
import {
  type CarrierProfile,
  PROFILE_NAMES,
  planReports,
  carrierProfile,
  respondToSubmit,
} from '@heliograph/simulators';
import { z } from 'zod';

import {
  ChannelDown,
  defineDriver,
  type DriverContext,
  type SubmittedMessage,
  type SubmitResult,
  type OutgoingMessage,
  type QueryResult,
} from '../channel.ts';
import { publicOption } from '../options.ts';

const weight = publicOption(z.number().min(0).max(1).optional());
const delay = publicOption(z.tuple([z.number().min(0), z.number().min(0)]).optional());

const FIELDS = z.strictObject({
  profile: publicOption(z.enum(PROFILE_NAMES).optional()),
  failed: weight,
  temporary: weight,
  silent: weight,
  seen: weight,
  throttled: weight,
  rejected: weight,
  duplicates: weight,
  disorder: weight,
  replies: weight,
  down: publicOption(z.boolean().optional()),
  sentDelay: delay,
  deliveredDelay: delay,
  seenDelay: delay,
  seed: publicOption(z.union([z.string(), z.number()]).default(1)),
  /** How long a call takes, in milliseconds. */
  latencyMs: publicOption(z.number().int().min(0).max(60_000).default(0)),
  /** Seconds after which a message without a final report expires. */
  expiresAfter: publicOption(z.number().int().min(1).max(604_800).default(60)),
});

/** With the rules over several values at once: weights that add up, delays in order. */
const Options = FIELDS.superRefine(
  ({ seed: _, latencyMs: __, expiresAfter: ___, ...options }, ctx) => {
    try {
      carrierProfile(options);
    } catch (error) {
      const [, field, problem] = /^(\w+): (.*)$/.exec((error as Error).message) ?? [];
      const path = field ? [field] : [];
      ctx.addIssue({ code: 'custom', path, message: problem ?? (error as Error).message });
    }
  },
);

/** Calls at a time. One that takes no time is bounded by the database. */
const CONCURRENCY = 16;
const CONCURRENCY_AT_ONCE = 3;

/**
 * The built-in carrier, without network and state. Reports are computed from a message's reference and
 * the time of its submit, so a restart loses nothing and a repeated submit changes nothing. Changed
 * options also apply to messages under way.
 */
export const simulatorDriver = defineDriver({
  name: 'simulator',
  options: Options,
  describe: ({ latencyMs, expiresAfter }) => ({
    deduplicates: true,
    maxBatch: 1_000,
    concurrency: latencyMs > 0 ? CONCURRENCY : CONCURRENCY_AT_ONCE,
    isQueried: true,
    expiresAfter: () => expiresAfter,
  }),
  open({ seed, latencyMs, expiresAfter: _, ...options }) {
    const profile = carrierProfile(options);
    return {
      async send(batch, context) {
        if (latencyMs > 0) await sleep(latencyMs);
        return sendTo(profile, seed, batch, context);
      },
      async query(messages, { now, since }) {
        return dueBetween(profile, seed, messages, since, now);
      },
    };
  },
});

function sendTo(
  profile: CarrierProfile,
  seed: string | number,
  batch: OutgoingMessage[],
  { signal }: DriverContext,
): SubmitResult[] {
  if (profile.down) throw new ChannelDown('the carrier is down', 30_000);
  // Nothing was submitted: the submit happens in this function.
  if (signal.aborted) throw new ChannelDown('stopped before the submit', 0);
  const results: SubmitResult[] = [];
  for (const message of batch) {
    const { reference, type, recipient, tries } = message;
    const answer = respondToSubmit({ reference, type, recipient, tries }, profile, seed);
    if (answer.result !== 'lost') results.push({ reference, ...answer });
  }
  return results;
}

function dueBetween(
  profile: CarrierProfile,
  seed: string | number,
  messages: SubmittedMessage[],
  since: Date | null,
  now: Date,
): QueryResult {
  const from = since ? since.getTime() : Number.NEGATIVE_INFINITY;
  const to = now.getTime();
  const reports: CarrierReport[] = [];
  const replies: CarrierReply[] = [];
  let next = Number.POSITIVE_INFINITY;
  for (const message of messages) {
    const plan = planReports(message, profile, seed, message.submittedAt);
    for (const report of plan.reports) {
      const due = report.due.getTime();
      if (due > to) next = Math.min(next, due);
      else if (due > from) reports.push(report);
    }
    if (plan.reply) {
      const due = plan.reply.at.getTime();
      if (due > to) next = Math.min(next, due);
      else if (due > from) replies.push(plan.reply);
    }
  }
  return { reports, replies, nextAt: Number.isFinite(next) ? new Date(next) : null };
}
