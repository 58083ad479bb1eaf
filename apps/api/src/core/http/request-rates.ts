import { Injectable } from '@nestjs/common';
import {
  BULK_WEIGHT,
  costOf,
  EACH_PER_COUNT,
  RATES,
  SEARCH_WEIGHT,
  type Cost,
  type Endpoint,
  type Rate,
} from '@heliograph/contract';
import type { Response } from 'express';
import { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { SharedCounters, type Counter } from '../shared-counters.ts';
import { currentTime } from '../time.ts';
import type { Actor } from '../auth/actor.ts';
import type { AppRequest } from './endpoint.ts';
import { networkOf } from './visitor.ts';

const SEARCHES = /[?&](\$|%24)search=[^&]/i;

/** Of a document that counts once. */
const DOCUMENT_BYTES = 100_000;

const SUBJECTS = ['account', 'session', 'token', 'network'] as const;
type Subject = (typeof SUBJECTS)[number];

/** Counted when the call is understood. */
type CountedMessage = 'message' | 'testMessage' | 'cancelled' | 'laterBulk';
/** Counted without a request of HTTP. */
type CountedCall = CountedMessage | 'read' | 'write';

interface Budget {
  subject: Subject;
  /** The name in the headers. */
  name: string;
  quota: number;
  seconds: number;
}

interface Counted {
  budget: Budget;
  counter: Counter;
}

/**
 * Rate limits by account, session or API token, and network, and by the cost of an endpoint (`RATES` of the contract). A token
 * has the limit of a session, or else that of the account. Responses have the headers `RateLimit` and `RateLimit-Policy` of
 * draft-ietf-httpapi-ratelimit-headers-10.
 */
@Injectable()
export class RequestRates {
  private budgets: Record<Cost, Budget[]> | undefined;
  /** The setting that the budgets were made by. */
  private messages: number | undefined;

  constructor(
    private readonly counters: SharedCounters,
    private readonly config: Config,
  ) {}

  /** Counts a request by account and session, or by network without a session. Throws `rate_limited`. */
  count(def: Endpoint, request: AppRequest, response: Response): void {
    const cost = costOf(def);
    const isSearch = cost === 'list' && SEARCHES.test(request.originalUrl);
    this.take(cost, request, response, isSearch ? SEARCH_WEIGHT : 1);
  }

  /** Counts the additional cost of several messages, which is known only after the body was read. */
  countBody(def: Endpoint, request: AppRequest, response: Response): void {
    const weight = weightOf(def, request.call!.body);
    if (weight > 1) this.take('message', request, response, weight - 1);
  }

  /** Counts messages against the limit of an account, with or without a request. Throws `rate_limited` if that has no room for all of them. */
  countMessages(OwnerId: string, count = 1, cost: CountedMessage = 'message'): void {
    this.countCalls(OwnerId, count, cost);
  }

  /** Counts what is asked over another protocol than HTTP. Throws `rate_limited`. */
  countCall(OwnerId: string, cost: 'read' | 'write'): void {
    this.countCalls(OwnerId, 1, cost);
  }

  private countCalls(OwnerId: string, count: number, cost: CountedCall): void {
    const counted = this.countedOf(OwnerId, cost);
    const exhausted = counted.find(({ budget, counter }) => counter.count + count > budget.quota);
    if (exhausted) throw refusal(exhausted.counter);
    for (const { counter } of counted) this.counters.add(counter, count);
  }

  /**
   * Counts single messages that are refused, or parts that are lost, which are stored all the same. Beyond the limit of the account it returns
   * the refusal with which the call is answered instead.
   */
  countStored(
    OwnerId: string,
    count = 1,
    cost: 'refusedMessage' | 'lostPart' = 'refusedMessage',
  ): AppError | null {
    const counted = this.countedOf(OwnerId, cost);
    const exhausted = counted.find(({ budget, counter }) => counter.count >= budget.quota);
    if (exhausted) return refusal(exhausted.counter);
    for (const { counter } of counted) this.counters.add(counter, count);
    return null;
  }

  /** Counts failed authentications by network. Beyond the limit the response is `rate_limited`. */
  async countRefusals<T>(
    request: AppRequest,
    response: Response,
    signIn: () => Promise<T>,
  ): Promise<T> {
    try {
      return await signIn();
    } catch (error) {
      if (isRefusal(error)) this.take('refused', request, response);
      throw error;
    }
  }

  /** Throws `rate_limited` if failed authentications have used up the limit of the network. */
  refuseGuesses(ip: string): void {
    const isExhausted = ({ budget, counter }: Counted) => counter.count >= budget.quota;
    const exhausted = this.counted('refused', { ip }).find(isExhausted);
    if (exhausted) throw refusal(exhausted.counter);
  }

  /** Counts a failed authentication of a socket, which gets no headers. */
  countSocketRefusal(error: unknown, ip: string): void {
    if (!isRefusal(error)) return;
    for (const { counter } of this.counted('refused', { ip })) this.counters.add(counter, 1);
  }

  /** Counts a change by a caller that has only the secret in the path. */
  countInbound(request: AppRequest, response: Response): void {
    this.take('inbound', request, response);
  }

  /** Counts a document or file of the site by network: one for each started 100 kB that are sent. */
  countDocument(request: AppRequest, response: Response, bytes = 0): void {
    this.take('document', request, response, Math.max(1, Math.ceil(bytes / DOCUMENT_BYTES)));
  }

  /** Counts failed lookups of guessable keys by network. Beyond the limit nothing is looked up. */
  async countMisses<T>(
    request: AppRequest,
    response: Response,
    find: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const isExhausted = ({ budget, counter }: Counted) => counter.count >= budget.quota;
    const exhausted = this.counted('missed', request).find(isExhausted);
    if (exhausted) throw refusal(exhausted.counter);
    const found = await find();
    if (found === undefined) this.take('missed', request, response);
    return found;
  }

  private take(cost: Cost, request: AppRequest, response: Response, weight = 1): void {
    const counted = this.counted(cost, request);
    if (!counted.length) return;
    const exhausted = counted.find(({ budget, counter }) => counter.count + weight > budget.quota);
    if (!exhausted) for (const { counter } of counted) this.counters.add(counter, weight);
    response.set({
      'RateLimit-Policy': counted.map(policyOf).join(', '),
      RateLimit: counted.map(stateOf).join(', '),
    });
    if (exhausted) throw refusal(exhausted.counter);
  }

  private currentBudgets(): Record<Cost, Budget[]> {
    if (this.budgets && this.messages === this.config.RATE_MESSAGES) return this.budgets;
    const costs = Object.keys(RATES) as Cost[];
    this.messages = this.config.RATE_MESSAGES;
    return (this.budgets = Object.fromEntries(
      costs.map((cost) => [cost, budgetsOf(cost, this.config)]),
    ) as Record<Cost, Budget[]>);
  }

  /** Of an account, without a request. */
  private countedOf(OwnerId: string, cost: Cost): Counted[] {
    const actor = { OwnerId, sessionId: OwnerId, tokenId: null } as Actor;
    return this.counted(cost, { actor, ip: undefined });
  }

  private counted(cost: Cost, request: Pick<AppRequest, 'actor' | 'ip'>): Counted[] {
    const without: Subject = request.actor?.tokenId ? 'session' : 'token';
    const all = this.currentBudgets()[cost];
    const isOfAccount = request.actor && all.some(({ subject }) => subject === 'account');
    const budgets = all.filter(({ subject }) =>
      request.actor
        ? subject !== without && !(isOfAccount && subject === 'network')
        : subject === 'network',
    );
    return budgets.map((budget) => {
      const name = `${budget.name}:${idOf(budget.subject, request)}`;
      return { budget, counter: this.counters.get(name, budget.seconds) };
    });
  }
}

/** Failed authentications, and API tokens from addresses that they are not allowed from. */
const isRefusal = (error: unknown): boolean =>
  error instanceof AppError && (error.status === 401 || error.code === 'address_not_allowed');

/** How often a request with a message counts. */
function weightOf(def: Endpoint, body: unknown): number {
  if (costOf(def) !== 'message') return 1;
  const { recipient, recipients } = body as { recipient?: unknown; recipients?: unknown[] };
  if (recipients) return 1 + Math.ceil(recipients.length / EACH_PER_COUNT);
  return typeof recipient === 'object' ? BULK_WEIGHT : 1;
}

/** Whether the request is of many messages. */
export const isBulk = (def: Endpoint, body: unknown): boolean => weightOf(def, body) > 1;

function budgetsOf(cost: Cost, { RATE_SCALE, RATE_MESSAGES }: Config): Budget[] {
  const rate: Rate = RATES[cost];
  if (!RATE_SCALE) return [];
  return SUBJECTS.flatMap((subject) => {
    const perAccount = cost === 'message' ? RATE_MESSAGES * rate.seconds : rate.account;
    const limits = {
      account: perAccount,
      session: rate.session,
      token: rate.session ?? perAccount,
      network: rate.network,
    };
    const calls = limits[subject];
    if (!calls) return [];
    const isOfCredential = subject === 'session' || subject === 'token';
    const name = isOfCredential ? `${cost}-${subject}` : cost;
    const quota = Math.max(1, Math.floor(calls * RATE_SCALE));
    return [{ subject, name, quota, seconds: rate.seconds }];
  });
}

function idOf(subject: Subject, { actor, ip }: Pick<AppRequest, 'actor' | 'ip'>): string {
  if (subject === 'account') return actor!.OwnerId;
  return subject === 'network' ? networkOf(ip ?? '') : actor!.sessionId;
}

const policyOf = ({ budget: { name, quota, seconds } }: Counted) =>
  `"${name}";q=${quota};w=${seconds}`;

const secondsLeft = ({ endsAt }: Counter) =>
  Math.max(1, Math.ceil((endsAt - currentTime()) / 1000));

const stateOf = ({ budget, counter }: Counted) =>
  `"${budget.name}";r=${Math.max(0, budget.quota - counter.count)};t=${secondsLeft(counter)}`;

function refusal(counter: Counter): AppError {
  return new AppError('rate_limited', 'Too many requests. Try again later.', {
    headers: { 'retry-after': String(secondsLeft(counter)) },
    payload: { expires_at: new Date(counter.endsAt).toISOString() },
  });
}
