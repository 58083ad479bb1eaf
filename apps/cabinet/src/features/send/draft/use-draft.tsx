import type { Template } from '@heliograph/contract';
import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveDraft } from '../../../core/drafts.ts';
import { LeaveBlocker } from '../../../core/forms/leave-blocker.tsx';
import { useSameSession } from '../../../core/session/use-session.ts';
import { useFormats } from '../../../core/use-formats.ts';
import { later } from '../../../ui/later.tsx';
import type { SendForm } from '../form/send-form.ts';
import { isBlank, type SendValues } from '../form/send-values.ts';
import { isAsBrought, packDraft, type Start } from './draft.ts';

const LeaveQuestion = later(async () => (await import('./draft-questions.tsx')).LeaveQuestion);

/** Keeps unfinished work in this tab, once there is more of it than the address brought. */
export function useDraft(form: SendForm, key: string, start: Start, template: Template | null) {
  const { values } = form;
  const [settled] = useDebouncedValue(values, 800);
  const [savedAt, setSavedAt] = useState(start.restoredAt);
  const [waiting, setWaiting] = useState(start.waiting);
  const [isNoted, setNoted] = useState(start.restoredAt !== null || start.waiting !== null);
  const [first] = useState(values);
  // The stored draft is, or was, in the form, so later changes of the form replace it.
  const [isOurs, setOurs] = useState(start.restoredAt !== null);

  const isOwn = (now: SendValues) => isOurs || !isAsBrought(now, start.values, template);
  /** Answers whether the browser has it. */
  const save = (now: SendValues): boolean => {
    // Nothing was changed; and what waits here gives way to other work only.
    if (now === first || (!isOurs && (isBlank(now) || !isOwn(now)))) return savedAt !== null;
    setOurs(true);
    const at = Date.now();
    const packed = packDraft(now);
    const isKept = saveDraft(key, packed, { area: 'tab', now: at });
    setSavedAt(packed && isKept ? at : null);
    return !!packed && isKept;
  };
  const saveSettled = useEffectEvent(() => void save(settled));
  const saveLatest = useEffectEvent(() => void save(values));

  useEffect(() => saveSettled(), [settled]);

  // Leaving in the middle of a word keeps the word.
  useEffect(() => {
    const onLeave = () => saveLatest();
    // Before the drafts of the tab are left to the next one.
    addEventListener('pagehide', onLeave, { capture: true });
    return () => {
      removeEventListener('pagehide', onLeave, { capture: true });
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
      setOurs(true);
      setNoted(false);
      form.set(waiting!.values);
    },
    /** Discards the offered draft. */
    drop(): void {
      if (!isOurs) saveDraft(key, null, { area: 'tab' });
      setWaiting(null);
      setNoted(false);
    },
    /** Hides the note about a restored draft; an offered draft stays offered. */
    closeNote: () => setNoted(waiting !== null && !isOurs),
  };
}

/** When the draft was kept last. */
export function DraftState({ savedAt }: { savedAt: number | null }) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (savedAt === null) return null;
  return (
    <Text size="xs" c="dimmed" className="numeric">
      {t('send:draftSaved', { time: formats.time(new Date(savedAt).toISOString()) })}
    </Text>
  );
}

interface LeaveGuardProps {
  /** There is something to lose. */
  isActive: () => boolean;
  /** It is kept in this browser. */
  isKept: boolean;
  /** Keeps it now; answers whether it is. */
  keep: () => boolean;
  onDiscard: () => void;
}

const isHere = (pathname: string) => pathname === '/send' || pathname.startsWith('/send/');

/** Asks before unfinished work is left that the browser cannot keep. */
export function LeaveGuard({ isActive, isKept, keep, onDiscard }: LeaveGuardProps) {
  const isSameSession = useSameSession();
  useEffect(() => {
    if (isKept) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (isSameSession() && isActive()) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isActive, isKept, isSameSession]);
  return (
    <LeaveBlocker
      asks={({ nextLocation }) => {
        const isLeft = isActive() && isSameSession() && !isHere(nextLocation.pathname);
        return isLeft && !keep();
      }}
    >
      {(blocker) => (
        <LeaveQuestion
          opened={blocker.state === 'blocked'}
          onStay={() => blocker.reset?.()}
          onDiscard={() => {
            onDiscard();
            blocker.proceed?.();
          }}
        />
      )}
    </LeaveBlocker>
  );
}
