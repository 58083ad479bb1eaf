/**
 * The maximum date range of message filters in days: 186 with the permission `advanced.users.find`, 93 for resellers and managers
 * without it, 31 otherwise. Source: the specification of the messaging area, section 5.
 * `maxRangeDays('me', false)` is 31.
 */
export function maxRangeDays(level: 'me' | 'reseller' | 'manager', hasFullFind: boolean): number {
  if (hasFullFind) return 186;
  return level === 'me' ? 31 : 93;
}
