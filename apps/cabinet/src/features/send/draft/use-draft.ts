import type { Template } from '@heliograph/contract';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { saveDraft } from '../../../core/drafts.ts';
import { isAsBrought, packDraft } from './draft.ts';
import { useSendForm } from '../form/form-context.ts';
import { isBlank, type SendValues } from '../form/send-values.ts';
import type { Start } from './start-values.ts';

/** Keeps unfinished work in this browser, once there is more of it than the address brought. */
export function useDraft(key: string, start: Start, template: Template | null) {
  const form = useSendForm();
  const { values } = form;
  const [settled] = useDebouncedValue(values, 800);
  const [savedAt, setSavedAt] = useState(start.restoredAt);
  const [waiting, setWaiting] = useState(start.waiting);
  const [isNoted, setNoted] = useState(start.restoredAt !== null || start.waiting !== null);
  const first = useRef(values);
  // The stored draft is, or was, in the form, so later changes of the form replace it.
  const isOurs = useRef(start.restoredAt !== null);
  const latest = useRef({ values, template });
  latest.current = { values, template };

  const isOwn = (now: SendValues) =>
    isOurs.current || !isAsBrought(now, start.values, latest.current.template);
  /** Answers whether the browser has it. */
  const save = (now: SendValues): boolean => {
    // Nothing was changed; and what waits here gives way to other work only.
    if (now === first.current || (!isOurs.current && (isBlank(now) || !isOwn(now))))
      return savedAt !== null;
    isOurs.current = true;
    const at = Date.now();
    const packed = packDraft(now);
    const isKept = saveDraft(key, packed, { now: at });
    setSavedAt(packed && isKept ? at : null);
    return !!packed && isKept;
  };
  const saveNow = useRef(save);
  saveNow.current = save;

  useEffect(() => void saveNow.current(settled), [settled]);

  // Leaving in the middle of a word keeps the word.
  useEffect(() => {
    const saveLatest = () => void saveNow.current(latest.current.values);
    addEventListener('pagehide', saveLatest);
    return () => {
      removeEventListener('pagehide', saveLatest);
      saveLatest();
    };
  }, []);

  return {
    /** When it was kept, Unix milliseconds; null while there is nothing or it cannot be. */
    savedAt: isBlank(values) ? null : savedAt,
    /** Stores the current values at once, without waiting for a pause in typing; answers whether they are kept. */
    keep: () => save(values),
    /** Is there anything that was not there without the visitor? */
    isOwn: () => !isBlank(values) && isOwn(values),
    /** The draft that was found when the page opened: restored already, or offered. */
    found: isNoted ? { at: waiting?.savedAt ?? start.restoredAt!, isWaiting: !!waiting } : null,
    open(): void {
      isOurs.current = true;
      setNoted(false);
      form.clearErrors();
      form.setValues(waiting!.values);
    },
    /** Discards the offered draft. */
    drop(): void {
      if (!isOurs.current) saveDraft(key, null);
      setWaiting(null);
      setNoted(false);
    },
    /** Hides the note about a restored draft; an offered draft stays offered. */
    closeNote: () => setNoted(waiting !== null && !isOurs.current),
  };
}
