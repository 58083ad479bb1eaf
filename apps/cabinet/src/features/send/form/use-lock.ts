import { useSettings } from '../../../core/settings.ts';
import { useStored } from '../../../core/browser-storage.ts';
import { useCountdown } from '../../../core/use-countdown.ts';

/** Locks an action until a moment. Stored in the browser, so that leaving the page does not shorten it. */
export function useLock(name: string): { left: number; lock: (until: number) => void } {
  const { UserId } = useSettings().session;
  const [until, store] = useStored(`heliograph.lock.${UserId}.${name}`);
  return { left: useCountdown(Number(until) || 0), lock: (end) => store(String(end)) };
}
