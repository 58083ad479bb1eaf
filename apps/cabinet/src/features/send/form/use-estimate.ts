import type { Estimate } from '@heliograph/contract';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { estimateQuery } from '../../estimates/estimates.api.ts';
import { brokenRules, type Allowed } from './send-rules.ts';
import { useConflict } from './use-conflict.ts';
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
