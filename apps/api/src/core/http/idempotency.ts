import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ERRORS, type Endpoint as Definition, type ErrorCode } from '@heliograph/contract';
import type { Response } from 'express';
import { createHash } from 'node:crypto';
import { firstValueFrom, from, type Observable } from 'rxjs';
import { Config } from '../config.ts';
import { Db } from '../db/db.ts';
import { AppError, invalid } from '../errors.ts';
import { keyedRequest, type KeyedRequest } from '../keyed-effects.ts';
import { ENDPOINT, type AppRequest } from './endpoint.ts';
import { asAppError, errorBody } from './error-filter.ts';
import { IdempotencyKeysStore, type Key, type KeyRow } from './idempotency-keys.store.ts';

/** A request with a key, and its handler. */
interface Keyed {
  key: Key;
  response: Response;
  requestId: string;
  work: () => Promise<unknown>;
}

/** Statuses that a retry may turn into success. */
const NOT_STORED = new Set([402, 409, 429]);

/**
 * `Idempotency-Key`: the effect and the row of the key are written in one transaction. A repeated request gets the stored
 * response with `Idempotency-Replay: true`, 422 if its body differs, and 409 while the first one is in progress.
 */
@Injectable()
export class Idempotency implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly db: Db,
    private readonly keys: IdempotencyKeysStore,
    private readonly config: Config,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const def = this.reflector.get<Definition>(ENDPOINT, context.getHandler());
    const request = context.switchToHttp().getRequest<AppRequest>();
    const header = request.headers['idempotency-key'];
    if (!def.idempotent || header === undefined) return next.handle();
    const name = String(header).replace(/^"(.*)"$/, '$1');
    if (!name || name.length > 255)
      throw invalid('Idempotency-Key', 'length', 'The key must have 1 to 255 characters.');
    const response = context.switchToHttp().getResponse<Response>();
    const { params, query, body } = request.call ?? {};
    // The route is that of the definition: two conversations differ in their parameters only.
    const { OwnerId, isTest, tokenId, userId } = request.actor!;
    // A secret is for who has asked for it: the same request of another token or user is a different one.
    const asked = def.showsSecret ? [tokenId ?? userId] : [];
    const hash = createHash('sha256')
      .update(JSON.stringify([query, body, ...(params ? [params] : []), ...asked]))
      .digest('hex');
    // What a test token has tried is not done yet: the same key may then do it.
    const route = `${def.method} ${def.path}${isTest ? ' as a test' : ''}`;
    const keyed: Keyed = {
      key: { OwnerId, route, key: name, hash, isSecret: def.showsSecret === true },
      response,
      requestId: request.requestId,
      work: () => firstValueFrom(next.handle()),
    };
    return from(def.idempotent === 'calls' ? this.runAndCall(keyed) : this.run(keyed));
  }

  private async run(keyed: Keyed): Promise<unknown> {
    const { key, response, work } = keyed;
    try {
      return await this.db.transaction(async () => {
        if (!(await this.keys.hold(key))) throw running();
        const stored = await this.keys.find(key);
        if (stored) return replay(stored, keyed);
        const answer = await work();
        if (!isRefusedForNow(response.statusCode, answer))
          await this.keys.add(key, response.statusCode, answer);
        return answer;
      });
    } catch (thrown) {
      await this.addRefusal(keyed, asAppError(thrown));
      throw thrown;
    }
  }

  /** The handler calls another party outside of a transaction. `KeyedEffects` claims the key in that of the effect. */
  private async runAndCall(keyed: Keyed): Promise<unknown> {
    const { key, response, work } = keyed;
    const stored = await this.keys.find(key);
    if (stored && isAnswered(stored, keyed)) return replay(stored, keyed);
    if (stored && !(await this.keys.takeOver(key))) throw running();
    const request = this.requestOf(key, stored?.effectId ?? null);
    try {
      const answer = await keyedRequest.run(request, work);
      if (request.effectId) await this.keys.answer(key, response.statusCode, answer);
      else await this.keys.add(key, response.statusCode, answer);
      return answer;
    } catch (thrown) {
      const error = asAppError(thrown);
      // What was made stays, whatever the other party has said of it.
      if (!request.effectId) await this.addRefusal(keyed, error);
      else if (error.status >= 500) await this.keys.release(key);
      else
        await this.keys.answer(key, error.status, errorBody(error, keyed.requestId, this.config));
      throw thrown;
    }
  }

  private requestOf(key: Key, effectId: string | null): KeyedRequest {
    const request: KeyedRequest = {
      effectId,
      begin: async () => {
        if (!(await this.keys.hold(key)) || (await this.keys.find(key))) throw running();
      },
      claim: async (made) => {
        if (!(await this.keys.claim(key, made))) throw running();
        this.db.afterCommit(() => (request.effectId = made));
      },
    };
    return request;
  }

  private async addRefusal({ key, requestId }: Keyed, error: AppError): Promise<void> {
    if (error.status >= 500 || NOT_STORED.has(error.status)) return;
    if (error.code === 'idempotency_mismatch') return;
    await this.keys.add(key, error.status, errorBody(error, requestId, this.config));
  }
}

const running = () =>
  new AppError(
    'idempotency_running',
    'The first request with this idempotency key is still in progress',
    { headers: { 'retry-after': '1' } },
  );

/** A single message that the balance or a cap did not cover is answered 400, with the code of a 402. */
function isRefusedForNow(status: number, answer: unknown): boolean {
  const { code } = (answer ?? {}) as { code?: ErrorCode };
  return status >= 400 && code !== undefined && NOT_STORED.has(ERRORS[code]);
}

/** Refuses another request with the key. */
function isAnswered(row: KeyRow, { key }: Keyed): boolean {
  if (row.hash !== key.hash)
    throw new AppError(
      'idempotency_mismatch',
      'This idempotency key was used with a different request',
    );
  return row.status !== null;
}

function replay(row: KeyRow, keyed: Keyed): unknown {
  if (!isAnswered(row, keyed)) throw running();
  keyed.response.status(row.status!).set('Idempotency-Replay', 'true');
  return row.answer;
}
