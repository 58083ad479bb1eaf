import { ConcurrentIndexes } from './concurrently.ts';

/** A user's sessions end together with those that it has opened for other users. */
export class SessionActors1763700000097 extends ConcurrentIndexes {
  protected readonly indexes = {
    sessions_impersonator: 'on sessions (actor_id) where actor_id is not null',
  };
}
