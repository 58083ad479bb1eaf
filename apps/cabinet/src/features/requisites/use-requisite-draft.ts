import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { session } from '../../core/session/session.ts';
import { useSettings } from '../../core/settings.ts';
import { readDraft, saveDraft } from './requisite-draft.ts';
import type { RequisiteFormState } from './use-requisite-form.ts';

const DEBOUNCE_MS = 500;

/**
 * Keeps what was typed for this tab, in case the page is reloaded or the session ends. Leaving the page, which asks before, drops it.
 */
export function useRequisiteDraft(id: string, form: RequisiteFormState) {
  const { UserId } = useSettings().session;
  const [found] = useState(() => readDraft(UserId, id));
  const [isRestored, setRestored] = useState(found !== null);
  const [settled] = useDebouncedValue(form.values, DEBOUNCE_MS);
  const latest = useRef(form);
  useEffect(() => {
    latest.current = form;
  });
  useEffect(() => {
    if (found) latest.current.set(found);
  }, [found]);
  useEffect(() => {
    if (latest.current.isDirty()) saveDraft(UserId, id, settled);
  }, [UserId, id, settled]);
  useEffect(() => {
    const save = () => {
      if (latest.current.isDirty()) saveDraft(UserId, id, latest.current.values);
    };
    addEventListener('pagehide', save);
    return () => {
      removeEventListener('pagehide', save);
      if (session.token()) saveDraft(UserId, id, null);
    };
  }, [UserId, id]);
  return {
    isRestored,
    drop(): void {
      saveDraft(UserId, id, null);
      setRestored(false);
    },
  };
}
