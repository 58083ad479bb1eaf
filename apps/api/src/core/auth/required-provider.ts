/**
 * SQL: from the active identity providers `p` through which alone `user` signs in, as members of an account may have to. The holder of the
 * account keeps the other ways in, for the day on which the provider fails.
 */
export const requiredProvidersSql = (user: string): string =>
  `identity_providers p where p.is_required and p.is_active and p.account_id = ${user}.owner_id
     and ${user}.id <> ${user}.owner_id and ${user}.level = any(p.levels)`;
