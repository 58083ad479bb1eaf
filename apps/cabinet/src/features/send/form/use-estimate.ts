import type { Estimate } from '@heliograph/contract';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useEffect, useState } from 'react';
import { fetched } from '../../../core/lost-chunk.ts';
import { useSettings } from '../../../core/settings.ts';
import { estimateQuery } from '../../estimates/estimates.api.ts';
import { brokenRules, type Allowed } from './send-rules.ts';
import { isBlank, toInput, type SendValues } from './send-values.ts';

export interface SendEstimate {
  estimate: Estimate | undefined;
  error: unknown;
  /** The form is valid, so that there is a price. */
  isReady: boolean;
  /** The estimate is of the form's current values. */
  isCurrent: boolean;
}

/** The price of the form's values, requested when typing pauses; not while the form is invalid. */
export function useEstimate(values: SendValues, allowed: Allowed): SendEstimate {
  const [settled] = useDebouncedValue(values, 600);
  const { recordings } = allowed;
  const conflict = useConflict(settled);
  const body = useMemo(() => {
    // The start and the title change no price.
    const draft: SendValues = { ...settled, title: '', when: 'now', at: '' };
    const isBroken = Object.keys(brokenRules(draft, 0, { recordings, conflict })).length > 0;
    return conflict === null || isBroken ? null : toInput(draft);
  }, [settled, recordings, conflict]);
  const { data, error, isLoading, isPlaceholderData } = useQuery({
    ...estimateQuery(body),
    placeholderData: body ? keepPreviousData : undefined,
  });
  return {
    // The message that was just sent has left its price behind.
    estimate: body && !error && !isBlank(values) ? data : undefined,
    error: body ? error : null,
    isReady: !!body,
    // While the same request is repeated, the earlier answer is shown.
    isCurrent: settled === values && !isLoading && !isPlaceholderData,
  };
}

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
