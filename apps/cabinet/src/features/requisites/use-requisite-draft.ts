import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { draftKey, readDraft as readText, saveDraft as saveText } from '../../core/drafts.ts';
import { session } from '../../core/session/session.ts';
import { useSettings } from '../../core/settings.ts';
import { emptyValues, type RequisiteValues } from './requisite-values.ts';
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

/** Of this tab: another tab may fill in another form. It ends with the tab. */
const keyOf = (userId: string, id: string) => draftKey(userId, `requisites.${id}`);

type Shape = { [name: string]: Shape | string | boolean | null };

/** The values of `draft` where they have the type of those of the form. */
function sameShape(form: Shape, draft: unknown): Shape {
  const given = (typeof draft === 'object' && draft !== null ? draft : {}) as Shape;
  return Object.fromEntries(
    Object.entries(form).map(([name, value]) => {
      const stored = Object.hasOwn(given, name) ? given[name] : undefined;
      if (typeof value === 'object' && value !== null) return [name, sameShape(value, stored)];
      return [name, typeof stored === typeof value ? stored! : value];
    }),
  );
}

/** What was typed into the form before it was left; null without a draft. */
function readDraft(userId: string, id: string): RequisiteValues | null {
  try {
    const { text = 'null' } = readText(keyOf(userId, id), 'tab') ?? {};
    const draft = JSON.parse(text) as unknown;
    if (!draft) return null;
    return sameShape(emptyValues() as unknown as Shape, draft) as unknown as RequisiteValues;
  } catch {
    return null;
  }
}

function saveDraft(userId: string, id: string, values: RequisiteValues | null): void {
  saveText(keyOf(userId, id), values && JSON.stringify(values), { area: 'tab' });
}
