import type { AutomationInput } from '@heliograph/contract';
import { nextOccurrence } from '@heliograph/domain';

const SEGMENT_MINUTES = 15;
const MINUTE_MS = 60_000;

/** When an automation looks for people after a time; null for those that are told. */
export function nextScan(
  { trigger, timeZone }: Pick<AutomationInput, 'trigger' | 'timeZone'>,
  after: Date,
  isStart = true,
): Date | null {
  switch (trigger.when) {
    case 'date': {
      const [hours, minutes] = trigger.time.split(':').map(Number) as [number, number];
      const rule = { frequency: 'daily', weekdays: [], day: null, timeZone } as const;
      return nextOccurrence({ ...rule, minutes: hours * 60 + minutes }, after);
    }
    case 'segment':
    case 'silence':
      return isStart ? after : new Date(after.getTime() + SEGMENT_MINUTES * MINUTE_MS);
    default:
      return null;
  }
}
