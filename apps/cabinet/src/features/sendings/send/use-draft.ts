import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { stored } from '../../../core/stored.ts';
import { draftKey, packDraft } from './draft.ts';
import { isBlank, type SendValues } from './send-values.ts';

/** Keeps unfinished work in this browser. Answers when it was kept, null while there is nothing or it cannot be. */
export function useDraft(userId: string, values: SendValues): number | null {
  const key = draftKey(userId);
  const [settled] = useDebouncedValue(values, 800);
  const [savedAt, setSavedAt] = useState<number | null>(null);
  const latest = useRef(values);
  latest.current = values;

  useEffect(() => {
    const now = Date.now();
    const packed = packDraft(settled, now);
    stored.set(key, packed);
    setSavedAt(packed && stored.get(key) === packed ? now : null);
  }, [key, settled]);

  // Whoever leaves in the middle of a word finds the word.
  useEffect(() => {
    const save = () => stored.set(key, packDraft(latest.current, Date.now()));
    addEventListener('pagehide', save);
    return () => {
      removeEventListener('pagehide', save);
      save();
    };
  }, [key]);

  return isBlank(values) ? null : savedAt;
}
