import { reachSql, type Reach } from '../auth/actor.ts';

export interface ByOwner {
  reach: Reach;
  /** The filter of a list, within reach. */
  OwnerId: string | undefined;
  /** The column that names the owner. */
  column: string;
  /**
   * How the rows of several owners are read. `owners`: one owner after another, each along the index of (owner, ..., id)
   * that answers for it. `rows`: along the rows, where nearly all of them fit or an index of theirs finds the few.
   */
  along: 'owners' | 'rows';
}

/** Rows within reach. `part` gives a select of ids and what they are ordered by, ordered and limited, for a condition on the owner. */
export function byOwner(
  { reach, OwnerId, column, along }: ByOwner,
  bind: (value: unknown) => string,
  part: (within: string) => string,
): string {
  if (reach.kind === 'own') return part(reachSql(reach, column, bind) + foreign(reach, OwnerId));
  if (OwnerId) {
    const owner = `${bind(OwnerId)}::uuid`;
    return part(`${column} = ${owner} and ${reachSql(reach, owner, bind)}`);
  }
  if (along === 'rows') return part(reachSql(reach, column, bind));
  const owners = `select u.id from users u where u.owner_id = u.id and ${reachSql(reach, 'u.id', bind)}`;
  return `select p.* from (${owners}) o cross join lateral (${part(`${column} = o.id`)}) p`;
}

const foreign = (reach: Reach & { kind: 'own' }, OwnerId: string | undefined) =>
  OwnerId && OwnerId !== reach.OwnerId ? ' and false' : '';
