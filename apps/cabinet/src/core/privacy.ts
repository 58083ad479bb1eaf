import { stored, useStored } from './stored.ts';

const KEY = 'heliograph.blur';

/** Whether what is nobody's business is blurred: for a screen that is shared or stands in an open room. */
export function useBlur(): boolean {
  return useStored(KEY)[0] === 'on';
}

export function toggleBlur(): void {
  stored.set(KEY, stored.get(KEY) === 'on' ? null : 'on');
}
