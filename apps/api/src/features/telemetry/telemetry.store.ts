import { Injectable } from '@nestjs/common';
import type { Place, telemetry } from '@heliograph/contract';
import { Db } from '../../core/db/db.ts';
import { contains, equals, idTime, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Visit } from './visit.entity.ts';

const PLACE_FIELDS: (keyof Place)[] = ['country', 'continent', 'city', 'isoCode'];

type Query = In<typeof telemetry.find>['query'];

const client = contains('v.ip', 'v.useragent');
const place = contains(`(v.data->>'country')`, `(v.data->>'city')`);

@Injectable()
export class TelemetryStore extends Store<Visit, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'v.id' },
    filter: { action: equals('v.action'), OwnerId: equals('v.owner_id') },
    range: { createdAt: idTime('v.id') },
    // The client of an impersonator is shown to few, so it is not searched.
    search: (text, bind) =>
      `(${place(text, bind)} or not v.data ? 'actorId' and ${client(text, bind)})`,
  };

  constructor(db: Db) {
    super(db, Visit, 'v');
  }

  /** Adds the place; false if the visit is not the user's or the consent was withdrawn. */
  async addPlace(userId: string, id: string, place: Place): Promise<boolean> {
    const noted = await this.db.query(
      `update visits v set data = v.data || jsonb_strip_nulls($3::jsonb)
         from location_consents c
        where v.id = $2 and v.user_id = $1 and c.user_id = $1 and c.is_allowed
        returning v.id`,
      [userId, id, JSON.stringify(place)],
    );
    return noted.length > 0;
  }

  /** Removes places from the user's visits and returns the ids of the changed ones. */
  async dropPlaces(OwnerId: string, userId: string): Promise<string[]> {
    const dropped = await this.db.query<{ id: string }>(
      `update visits set data = data - $3::text[]
        where owner_id = $1 and user_id = $2 and data ?| $3::text[] returning id`,
      [OwnerId, userId, PLACE_FIELDS],
    );
    return dropped.map(({ id }) => id);
  }

  /** The session shows the place of the visit. */
  async linkSession(sessionId: string, id: string): Promise<void> {
    await this.db.query(`update sessions set visit_id = $2 where id = $1`, [sessionId, id]);
  }
}
