import { readPersonal, setPersonal } from './personal/mirror.ts';
import { usePersonal } from './personal/use-personal.ts';

/** Whether sensitive values are blurred, for shared screens. */
export function useBlur(): boolean {
  return usePersonal('hidePersonalData')[0] ?? false;
}

export function toggleBlur(): void {
  setPersonal('hidePersonalData', !readPersonal('hidePersonalData'));
}
