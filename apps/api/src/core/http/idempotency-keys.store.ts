import { Injectable } from '@nestjs/common';
import { SecretBox } from '../auth/secret-box.ts';
import { Config } from '../config.ts';
import { Db } from '../db/db.ts';

/** The key of a request, in the scope of its account and route. */
export interface Key {
  OwnerId: string;
  route: string;
  key: string;
  /** Of parameters and body. */
  hash: string;
  /** The answer has a secret, which is not stored as it is. */
  isSecret: boolean;
}

export interface KeyRow {
  hash: string;
  /** Null while the answer is not known. */
  status: number | null;
  answer: unknown;
  /** What the request has made before it called another party. */
  effectId: string | null;
}

/** A process that calls another party gives its answer within this time, or was stopped. */
const RUNNING_SECONDS = 60;

/** Ends an insert of keys: one whose lifetime is over is replaced, whether retention has deleted it or not. */
export const replaceExpired = (hours: number): string =>
  `on conflict (owner_id, route, key) do update
     set body_hash = excluded.body_hash, status = excluded.status, answer = excluded.answer, created_at = excluded.created_at,
         effect_id = excluded.effect_id, running_until = excluded.running_until
   where idempotency_keys.created_at <= now() - make_interval(hours => ${hours})`;

const ONE = `owner_id = $1 and route = $2 and key = $3`;
const idOf = ({ OwnerId, route, key }: Key) => [OwnerId, route, key];

@Injectable()
export class IdempotencyKeysStore {
  constructor(
    private readonly db: Db,
    private readonly box: SecretBox,
    private readonly config: Config,
  ) {}

  /** False while another transaction uses the key; otherwise it is held until the end of this one. */
  async hold({ OwnerId, route, key }: Key): Promise<boolean> {
    const [lock] = await this.db.query<{ got: boolean }>(
      `select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as got`,
      [`${OwnerId} ${route} ${key}`],
    );
    return lock!.got;
  }

  async find(key: Key): Promise<KeyRow | undefined> {
    const [row] = await this.db.query<KeyRow>(
      `select body_hash as hash, status, answer, effect_id as "effectId" from idempotency_keys
        where ${ONE} and created_at > now() - make_interval(hours => $4)`,
      [...idOf(key), this.config.RETENTION_IDEMPOTENCY_HOURS],
    );
    if (!row || !key.isSecret || row.status === null) return row;
    return { ...row, answer: await this.opened(key, row.answer as string) };
  }

  /** Stores the answer of a request that has made nothing before it. */
  async add(key: Key, status: number, answer: unknown): Promise<void> {
    await this.db.query(
      `insert into idempotency_keys (owner_id, route, key, body_hash, status, answer) values ($1, $2, $3, $4, $5, $6)
       ${replaceExpired(this.config.RETENTION_IDEMPOTENCY_HOURS)}`,
      [...idOf(key), key.hash, status, JSON.stringify(await this.closed(key, answer))],
    );
  }

  /** In the transaction of the effect. False if the key is in use. */
  async claim(key: Key, effectId: string): Promise<boolean> {
    const inserted = await this.db.execute(
      `insert into idempotency_keys (owner_id, route, key, body_hash, effect_id, running_until)
       values ($1, $2, $3, $4, $5, now() + make_interval(secs => ${RUNNING_SECONDS}))
       ${replaceExpired(this.config.RETENTION_IDEMPOTENCY_HOURS)}`,
      [...idOf(key), key.hash, effectId],
    );
    return inserted === 1;
  }

  /** Takes over a request whose process was stopped; false while it runs. */
  async takeOver(key: Key): Promise<boolean> {
    const taken = await this.db.execute(
      `update idempotency_keys set running_until = now() + make_interval(secs => ${RUNNING_SECONDS})
        where ${ONE} and status is null and running_until <= now()`,
      idOf(key),
    );
    return taken === 1;
  }

  /** The outcome is still unknown: the next repeat continues. */
  async release(key: Key): Promise<void> {
    await this.db.execute(
      `update idempotency_keys set running_until = now() where ${ONE} and status is null`,
      idOf(key),
    );
  }

  async answer(key: Key, status: number, answer: unknown): Promise<void> {
    await this.db.execute(
      `update idempotency_keys set status = $4, answer = $5 where ${ONE} and status is null`,
      [...idOf(key), status, JSON.stringify(await this.closed(key, answer))],
    );
  }

  private async closed(key: Key, answer: unknown): Promise<unknown> {
    if (!key.isSecret) return answer;
    return (await this.box.seal(JSON.stringify(answer), purposeOf(key))).toString('base64');
  }

  private async opened(key: Key, answer: string): Promise<unknown> {
    return JSON.parse(await this.box.open(Buffer.from(answer, 'base64'), purposeOf(key)));
  }
}

const purposeOf = ({ OwnerId, route, key }: Key) => `answer ${OwnerId} ${route} ${key}`;
