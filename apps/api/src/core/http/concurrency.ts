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
import { Db } from '../db/db.ts';
import { AppError } from '../errors.ts';
import { isBulk } from './request-rates.ts';
import { ENDPOINT, type AppRequest } from './endpoint.ts';

const LISTS_OF_ACCOUNT = 3;
const RETRY = { 'retry-after': '1' };

/**
 * How many calls of an account, and how many lists in all, a process works on at a time. Lists have half of the database
 * connections at most, and so has an account: what others ask for finds one. A list that nobody waits for any more is
 * cancelled. Of estimates, and of bulks, an account has
 * one at a time: each waits for its turn before a transaction opens.
 */
@Injectable()
export class Concurrency implements NestInterceptor {
  private readonly lists: AccountSemaphore;
  private readonly calls: AccountSemaphore;
  private readonly estimates: AccountSemaphore;
  private readonly bulks: AccountSemaphore;

  constructor(
    private readonly reflector: Reflector,
    private readonly db: Db,
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
    const reckoning = { running: half, runningOfAccount: 1, held: 500, waitMs: 10_000 };
    this.estimates = new AccountSemaphore({ ...reckoning, heldOfAccount: 4 }, refusal);
    this.bulks = new AccountSemaphore({ ...reckoning, heldOfAccount: 100 }, refusal);
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const def = this.reflector.get<Definition>(ENDPOINT, context.getHandler());
    const http = context.switchToHttp();
    const request = http.getRequest<AppRequest>();
    if (!request.actor || isUnbounded(def, request)) return next.handle();
    const { OwnerId } = request.actor;
    const signal = whileAwaited(http.getResponse<Response>());
    const work = () => firstValueFrom(next.handle());
    if (costOf(def) === 'list')
      return from(this.lists.run(OwnerId, () => this.db.withConnection(signal, work), signal));
    const call = () => this.calls.run(OwnerId, work, signal);
    const turns = this.turnsOf(def, request);
    return from(turns ? turns.run(OwnerId, call, signal) : call());
  }

  /** Of what reads all its recipients to say what they cost: estimates, and messages to a list. */
  private turnsOf(def: Definition, { call }: AppRequest): AccountSemaphore | undefined {
    if (costOf(def) === 'estimate') return this.estimates;
    return isBulk(def, call?.body) ? this.bulks : undefined;
  }
}

/** Bytes take as long as the network does, and hold no connection meanwhile. Single messages share statements. */
function isUnbounded(def: Definition, { headers, call }: AppRequest): boolean {
  if (def.upload || def.download) return true;
  if (costOf(def) !== 'message' || isBulk(def, call?.body)) return false;
  return headers['idempotency-key'] === undefined;
}

function refusal(isOwn: boolean): AppError {
  return isOwn
    ? new AppError('rate_limited', 'Too many calls of this account at a time', { headers: RETRY })
    : new AppError('unavailable', 'Too much is asked for right now', { headers: RETRY });
}

/** Aborts when the client hangs up. */
function whileAwaited(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(new AppError('unavailable'));
  });
  return controller.signal;
}
