import { useDebouncedValue } from '@mantine/hooks';
import { useCallback, useEffect, useRef, useState } from 'react';
import { stored } from '../../../core/stored.ts';
import { draftKey, packDraft } from './draft.ts';
import { isBlank, type SendValues } from './send-values.ts';

interface Draft {
  /** Unix milliseconds; null while there is nothing or it cannot be kept. */
  savedAt: number | null;
  /** Keeps what is there now, without waiting for a pause in the typing. */
  keep: () => void;
}

/** Keeps unfinished work in this browser. */
export function useDraft(userId: string, values: SendValues): Draft {
  const key = draftKey(userId);
  const [settled] = useDebouncedValue(values, 800);
  const [savedAt, setSavedAt] = useState<number | null>(null);
  const latest = useRef(values);
  latest.current = values;

  const keep = useCallback(() => {
    const now = Date.now();
    const packed = packDraft(latest.current, now);
    stored.set(key, packed);
    setSavedAt(packed && stored.get(key) === packed ? now : null);
  }, [key]);

  useEffect(keep, [keep, settled]);

  // Whoever leaves in the middle of a word finds the word.
  useEffect(() => {
    const save = () => stored.set(key, packDraft(latest.current, Date.now()));
    addEventListener('pagehide', save);
    return () => {
      removeEventListener('pagehide', save);
      save();
    };
  }, [key]);

  return { savedAt: isBlank(values) ? null : savedAt, keep };
}
