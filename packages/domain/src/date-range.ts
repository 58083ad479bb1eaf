/**
 * How many days of messages one question may span: 186 with the full right to find users, 93 for a
 * reseller or a manager without it, 31 otherwise (specification of the messaging area, section 5).
 * `maxRangeDays('me', false)` is 31.
 */
export function maxRangeDays(level: 'me' | 'reseller' | 'manager', hasFullFind: boolean): number {
  if (hasFullFind) return 186;
  return level === 'me' ? 31 : 93;
}
