import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { costOf, type Endpoint as Definition } from '@heliograph/contract';
import type { Response } from 'express';
import { firstValueFrom, from, type Observable } from 'rxjs';
import { AccountSemaphore } from '../account-semaphore.ts';
import { Config } from '../config.ts';
import { Replica } from '../db/replica.ts';
import { AppError } from '../errors.ts';
import { isBulk } from './request-rates.ts';
import { ENDPOINT, type AppRequest } from './endpoint.ts';

const LISTS_OF_ACCOUNT = 3;
const RETRY = { 'retry-after': '1' };
/** Widgets of one-time codes count as one account: their visitors wait for rows that they share. */
const VISITORS = 'visitors';
/** Requests of visitors that share their statements: as many as one statement has room for. */
const SHARING_VISITORS = 100;

/**
 * Limits concurrent requests per process. Lists together and each account use at most half of the database connections, so
 * that other requests find one; so do the visitors of widgets of one-time codes. A list query is cancelled when its client
 * disconnects. An account runs one estimate and one bulk sending at a time; further ones wait before they open a transaction.
 */
@Injectable()
export class Concurrency implements NestInterceptor {
  private readonly lists: AccountSemaphore;
  private readonly calls: AccountSemaphore;
  private readonly estimates: AccountSemaphore;
  private readonly bulks: AccountSemaphore;
  private readonly visitors: AccountSemaphore;
  private readonly sharingVisitors: AccountSemaphore;

  constructor(
    private readonly reflector: Reflector,
    private readonly replica: Replica,
    { DATABASE_POOL }: Config,
  ) {
    const half = Math.floor(DATABASE_POOL / 2);
    this.lists = new AccountSemaphore(
      {
        running: half,
        runningOfAccount: Math.min(LISTS_OF_ACCOUNT, half),
        held: 500,
        heldOfAccount: 30,
        waitMs: 3000,
      },
      refusal,
    );
    this.calls = new AccountSemaphore(
      {
        running: Infinity,
        runningOfAccount: half,
        held: 5000,
        heldOfAccount: 500,
        waitMs: 10_000,
      },
      refusal,
    );
    const ofVisitors = (running: number) => {
      const held = { held: 5000, heldOfAccount: Infinity, waitMs: 10_000 };
      return new AccountSemaphore({ running, runningOfAccount: running, ...held }, refusal);
    };
    this.visitors = ofVisitors(Math.ceil(half / 2));
    this.sharingVisitors = ofVisitors(SHARING_VISITORS);
    const computation = { running: half, runningOfAccount: 1, held: 500, waitMs: 10_000 };
    this.estimates = new AccountSemaphore({ ...computation, heldOfAccount: 4 }, refusal);
    // Many bulks at once are a program's work of a minute, not a stall.
    const inTurn = { heldOfAccount: 100, waitsInQueue: true } as const;
    this.bulks = new AccountSemaphore({ ...computation, ...inTurn }, refusal);
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const def = this.reflector.get<Definition>(ENDPOINT, context.getHandler());
    const http = context.switchToHttp();
    const request = http.getRequest<AppRequest>();
    const isVisitor = !request.actor && costOf(def) === 'otp';
    if ((!request.actor && !isVisitor) || isUnbounded(def, request)) return next.handle();
    const response = http.getResponse<Response>();
    return from(this.run(def, request, response, () => firstValueFrom(next.handle())));
  }

  /** A request that does what an endpoint does, under the same limits. */
  async run<T>(
    def: Definition,
    request: AppRequest,
    response: Response,
    work: () => Promise<T>,
  ): Promise<T> {
    if (isUnbounded(def, request)) return work();
    const signal = abortOnDisconnect(response);
    if (!request.actor) {
      const visitors = def.sharesStatements ? this.sharingVisitors : this.visitors;
      return visitors.run(VISITORS, work, signal);
    }
    const { OwnerId } = request.actor;
    if (costOf(def) === 'list')
      return this.lists.run(OwnerId, () => this.replica.read(signal, work), signal);
    const call = () => this.calls.run(OwnerId, work, signal);
    const semaphore = this.semaphoreOf(def, request);
    return semaphore ? semaphore.run(OwnerId, call, signal) : call();
  }

  /** For requests that price all their recipients: estimates and messages to a list. */
  private semaphoreOf(def: Definition, { call }: AppRequest): AccountSemaphore | undefined {
    if (costOf(def) === 'estimate') return this.estimates;
    return isBulk(def, call?.body) ? this.bulks : undefined;
  }
}

/** Uploads, downloads and long polls hold no database connection while they last. Single messages share statements. */
function isUnbounded(def: Definition, { headers, call }: AppRequest): boolean {
  if (def.upload || def.download || def.longPoll) return true;
  if (costOf(def) !== 'message' || isBulk(def, call?.body)) return false;
  return headers['idempotency-key'] === undefined;
}

function refusal(isOwn: boolean): AppError {
  return isOwn
    ? new AppError(
        'rate_limited',
        'Too many concurrent requests of this account. Try again later.',
        { headers: RETRY },
      )
    : new AppError('unavailable', 'The server is overloaded. Try again later.', { headers: RETRY });
}

/** Aborts when the client disconnects. */
function abortOnDisconnect(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(new AppError('unavailable'));
  });
  return controller.signal;
}
