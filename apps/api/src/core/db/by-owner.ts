import { accountsSql, scopeSql, type AccessScope } from '../auth/actor.ts';

export interface ByOwner {
  scope: AccessScope;
  /** The owner filter of a list; already checked against the scope. */
  OwnerId: string | undefined;
  /** The column with the owner's id. */
  column: string;
  /**
   * How rows of several owners are read. `owners`: a lateral join that reads each owner through the index (owner, ..., id).
   * `rows`: one scan, for scopes that contain nearly all rows, or if another index finds the few that match.
   */
  along: 'owners' | 'rows';
}

/** A select of the rows within the scope. `part` returns the ordered and limited select for a condition on the owner. */
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
  return `select p.* from (${accountsSql(scope, bind)}) o cross join lateral (${part(`${column} = o.id`)}) p`;
}

const foreign = (scope: AccessScope & { kind: 'own' }, OwnerId: string | undefined) =>
  OwnerId && OwnerId !== scope.OwnerId ? ' and false' : '';
