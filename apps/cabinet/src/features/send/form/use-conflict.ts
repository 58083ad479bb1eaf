import { useEffect, useState } from 'react';
import { fetched } from '../../../core/lost-chunk.ts';
import { useSettings } from '../../../core/settings.ts';
import type { SendValues } from './send-values.ts';

/**
 * Whether somebody is typed both as a recipient and as excluded, in whatever spelling; null until the entries have been
 * read, for which the numbering plans are loaded.
 */
export function useConflict({ type, include, exclude }: SendValues): boolean | null {
  const { country } = useSettings().sendings;
  const kind = type === 'email' ? 'email' : 'phone';
  const [typed, excluded] = [include.typed.trim(), exclude.typed.trim()];
  const isPossible = !!typed && !!excluded;
  const [read, setRead] = useState({ kind, typed: '', excluded: '', conflict: false });
  useEffect(() => {
    if (!isPossible) return;
    let isCurrent = true;
    void fetched(() => import('./check-recipients.ts')).then(({ checkRecipients }) => {
      const { wrong } = checkRecipients(excluded, kind, typed, country);
      const conflict = wrong.some(({ fault }) => fault === 'both');
      if (isCurrent) setRead({ kind, typed, excluded, conflict });
    });
    return () => {
      isCurrent = false;
    };
  }, [isPossible, kind, typed, excluded, country]);
  if (!isPossible) return false;
  const isRead = read.kind === kind && read.typed === typed && read.excluded === excluded;
  return isRead ? read.conflict : null;
}
