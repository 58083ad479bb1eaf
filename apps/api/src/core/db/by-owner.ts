import { scopeSql, type AccessScope } from '../auth/actor.ts';

export interface ByOwner {
  scope: AccessScope;
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
  { scope, OwnerId, column, along }: ByOwner,
  bind: (value: unknown) => string,
  part: (within: string) => string,
): string {
  if (scope.kind === 'own') return part(scopeSql(scope, column, bind) + foreign(scope, OwnerId));
  if (OwnerId) {
    const owner = `${bind(OwnerId)}::uuid`;
    return part(`${column} = ${owner} and ${scopeSql(scope, owner, bind)}`);
  }
  if (along === 'rows') return part(scopeSql(scope, column, bind));
  const owners = `select u.id from users u where u.owner_id = u.id and ${scopeSql(scope, 'u.id', bind)}`;
  return `select p.* from (${owners}) o cross join lateral (${part(`${column} = o.id`)}) p`;
}

const foreign = (scope: AccessScope & { kind: 'own' }, OwnerId: string | undefined) =>
  OwnerId && OwnerId !== scope.OwnerId ? ' and false' : '';
