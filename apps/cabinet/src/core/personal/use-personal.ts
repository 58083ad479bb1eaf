import { useMemo } from 'react';
import { useStored } from '../browser-storage.ts';
import { entryOf, setPersonal, type PersonalKey, type PersonalValue } from './mirror.ts';

/** A personal setting, undefined while it has its default, and how to change it. */
export function usePersonal<K extends PersonalKey>(key: K) {
  const [text] = useStored(entryOf(key).name);
  const value = useMemo(
    () => (text === null ? undefined : (entryOf(key).decode(text) as PersonalValue<K>)),
    [key, text],
  );
  const set = (next: PersonalValue<K> | null) => setPersonal(key, next);
  return [value, set] as const;
}
