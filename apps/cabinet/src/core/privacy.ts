import { stored, useStored } from './stored.ts';

const KEY = 'heliograph.blur';

/** Whether sensitive values are blurred, for shared screens. */
export function useBlur(): boolean {
  return useStored(KEY)[0] === 'on';
}

export function toggleBlur(): void {
  stored.set(KEY, stored.get(KEY) === 'on' ? null : 'on');
}
