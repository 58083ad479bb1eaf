import { Injectable } from '@nestjs/common';
import { Db } from '../../core/db/db.ts';

/** A user's consent to storing the places of its visits. */
export interface Consent {
  isAllowed: boolean;
  /** When a place was last looked up. */
  locatedAt: Date | null;
}

@Injectable()
export class ConsentsStore {
  constructor(private readonly db: Db) {}

  async of(userId: string): Promise<Consent | undefined> {
    const [consent] = await this.db.query<Consent>(
      `select is_allowed as "isAllowed", located_at as "locatedAt"
         from location_consents where user_id = $1`,
      [userId],
    );
    return consent;
  }

  /** Keeps `located_at`, so that a new consent does not allow another lookup. */
  async decide(userId: string, isAllowed: boolean, now: Date): Promise<void> {
    await this.db.query(
      `insert into location_consents (user_id, is_allowed, decided_at) values ($1, $2, $3)
       on conflict (user_id) do update set is_allowed = excluded.is_allowed, decided_at = excluded.decided_at`,
      [userId, isAllowed, now],
    );
  }

  /** Claims the lookup of a period; false if it was already used. */
  async claim(userId: string, now: Date, since: Date): Promise<boolean> {
    const taken = await this.db.query(
      `update location_consents set located_at = $2
        where user_id = $1 and is_allowed and (located_at is null or located_at <= $3)
        returning user_id`,
      [userId, now, since],
    );
    return taken.length > 0;
  }

  /** Releases a claim after a failed lookup. */
  async release(userId: string, claimedAt: Date): Promise<void> {
    await this.db.query(
      `update location_consents set located_at = null where user_id = $1 and located_at = $2`,
      [userId, claimedAt],
    );
  }
}
