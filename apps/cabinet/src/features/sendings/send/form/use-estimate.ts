import type { Estimate } from '@heliograph/contract';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { estimateQuery } from '../../../estimates/estimates.api.ts';
import { brokenRules, type Allowed } from './send-rules.ts';
import { toInput, type SendValues } from './send-values.ts';

export interface SendEstimate {
  estimate: Estimate | undefined;
  error: unknown;
  /** The form could be sent, so that there is something to reckon. */
  isReady: boolean;
  /** It answers what stands in the form now. */
  isCurrent: boolean;
}

/** The price of what stands in the form, asked for when typing pauses; nothing is asked while it could not be sent. */
export function useEstimate(values: SendValues, allowed: Allowed): SendEstimate {
  const [settled] = useDebouncedValue(values, 600);
  const { recordings } = allowed;
  const body = useMemo(() => {
    // The start and the title change no price.
    const draft: SendValues = { ...settled, title: '', when: 'now', at: '' };
    return Object.keys(brokenRules(draft, 0, { recordings })).length ? null : toInput(draft);
  }, [settled, recordings]);
  const { data, error, isLoading, isPlaceholderData } = useQuery({
    ...estimateQuery(body),
    placeholderData: body ? keepPreviousData : undefined,
  });
  return {
    estimate: body && !error ? data : undefined,
    error: body ? error : null,
    isReady: !!body,
    // Asked again for what was answered already, the answer stands until another comes.
    isCurrent: settled === values && !isLoading && !isPlaceholderData,
  };
}
