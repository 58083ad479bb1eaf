import { useMemo } from 'react';
import { useStored } from '../stored.ts';
import { entryOf, setPersonal, type PersonalKey, type PersonalValue } from './mirror.ts';

/** A personal setting, undefined while it has its default, and how to change it. */
export function usePersonal<K extends PersonalKey>(key: K) {
  const { name, decode } = entryOf(key);
  const [text] = useStored(name);
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const value = useMemo(
    () => (text === null ? undefined : (decode(text) as PersonalValue<K>)),
    [text],
  );
  const set = (next: PersonalValue<K> | null) => setPersonal(key, next);
  return [value, set] as const;
}
