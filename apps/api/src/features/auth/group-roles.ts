import { MAX_GROUP, type GroupRole, type Role } from '@heliograph/contract';

/** Of one person. Further ones are not looked at. */
const MAX_GROUPS = 500;

/**
 * The role of a person by the claim of a provider that names the groups: that of the first entry whose group is among them, or which is for
 * everybody. A claim of another type than a list of texts is no groups.
 */
export function roleOf(roles: GroupRole[], claim: unknown): Role | undefined {
  const named: unknown[] = Array.isArray(claim) ? claim.slice(0, MAX_GROUPS) : [];
  const groups = new Set(
    named.filter((group) => typeof group === 'string' && group.length <= MAX_GROUP),
  );
  return roles.find(({ group }) => group === null || groups.has(group))?.role;
}
