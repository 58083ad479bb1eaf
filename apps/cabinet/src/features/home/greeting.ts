export type PartOfDay = 'night' | 'morning' | 'day' | 'evening';

/** By the hour of a local clock, 0 to 23: night until 5, morning until 12, day until 18, then evening. */
export function partOfDay(hour: number): PartOfDay {
  if (hour < 5) return 'night';
  if (hour < 12) return 'morning';
  return hour < 18 ? 'day' : 'evening';
}
