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
import { ENDPOINT, type AppRequest } from './endpoint.ts';
import { asAppError, errorBody } from './error-filter.ts';

interface KeyRow {
  body_hash: string;
  status: number;
  answer: unknown;
}
interface Key {
  OwnerId: string;
  route: string;
  key: string;
  hash: string;
}

/** Ends an insert of keys: one whose lifetime is over is replaced, whether retention has deleted it or not. */
export const replaceExpired = (hours: number): string =>
  `on conflict (owner_id, route, key) do update
     set body_hash = excluded.body_hash, status = excluded.status, answer = excluded.answer, created_at = excluded.created_at
   where idempotency_keys.created_at <= now() - make_interval(hours => ${hours})`;

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
    private readonly config: Config,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const def = this.reflector.get<Definition>(ENDPOINT, context.getHandler());
    const request = context.switchToHttp().getRequest<AppRequest>();
    const header = request.headers['idempotency-key'];
    if (!def.idempotent || header === undefined) return next.handle();
    const key = String(header).replace(/^"(.*)"$/, '$1');
    if (!key || key.length > 255)
      throw invalid('Idempotency-Key', 'length', 'The key must have 1 to 255 characters.');
    const response = context.switchToHttp().getResponse<Response>();
    const { params, query, body } = request.call ?? {};
    // The route is that of the definition: two conversations differ in their parameters only.
    const hash = createHash('sha256')
      .update(JSON.stringify([query, body, ...(params ? [params] : [])]))
      .digest('hex');
    const id: Key = {
      OwnerId: request.actor!.OwnerId,
      route: `${def.method} ${def.path}`,
      key,
      hash,
    };
    return from(this.run(id, request, response, () => firstValueFrom(next.handle())));
  }

  private async run(
    id: Key,
    request: AppRequest,
    response: Response,
    work: () => Promise<unknown>,
  ): Promise<unknown> {
    try {
      return await this.db.transaction(async () => {
        await this.claim(id);
        const stored = await this.find(id);
        if (stored) return replay(stored, id, response);
        const answer = await work();
        if (!isRefusedForNow(response.statusCode, answer))
          await this.store(id, response.statusCode, answer);
        return answer;
      });
    } catch (thrown) {
      const error = asAppError(thrown);
      const isOwn = error.code === 'idempotency_mismatch';
      if (error.status < 500 && !NOT_STORED.has(error.status) && !isOwn) {
        await this.store(id, error.status, errorBody(error, request.requestId));
      }
      throw thrown;
    }
  }

  private async claim({ OwnerId, route, key }: Key): Promise<void> {
    const [lock] = await this.db.query<{ got: boolean }>(
      `select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as got`,
      [`${OwnerId} ${route} ${key}`],
    );
    if (!lock?.got) {
      throw new AppError(
        'idempotency_running',
        'The first request with this idempotency key is still in progress',
        {
          headers: { 'retry-after': '1' },
        },
      );
    }
  }

  private async find({ OwnerId, route, key }: Key): Promise<KeyRow | undefined> {
    const [row] = await this.db.query<KeyRow>(
      `select body_hash, status, answer from idempotency_keys
        where owner_id = $1 and route = $2 and key = $3 and created_at > now() - make_interval(hours => $4)`,
      [OwnerId, route, key, this.config.RETENTION_IDEMPOTENCY_HOURS],
    );
    return row;
  }

  private async store(
    { OwnerId, route, key, hash }: Key,
    status: number,
    answer: unknown,
  ): Promise<void> {
    await this.db.query(
      `insert into idempotency_keys (owner_id, route, key, body_hash, status, answer) values ($1, $2, $3, $4, $5, $6)
       ${replaceExpired(this.config.RETENTION_IDEMPOTENCY_HOURS)}`,
      [OwnerId, route, key, hash, status, JSON.stringify(answer)],
    );
  }
}

/** A single message that the balance or a cap did not cover is answered 400, with the code of a 402. */
function isRefusedForNow(status: number, answer: unknown): boolean {
  const { code } = (answer ?? {}) as { code?: ErrorCode };
  return status >= 400 && code !== undefined && NOT_STORED.has(ERRORS[code]);
}

function replay(row: KeyRow, id: Key, response: Response): unknown {
  if (row.body_hash !== id.hash)
    throw new AppError(
      'idempotency_mismatch',
      'This idempotency key was used with a different request',
    );
  response.status(row.status).set('Idempotency-Replay', 'true');
  return row.answer;
}
