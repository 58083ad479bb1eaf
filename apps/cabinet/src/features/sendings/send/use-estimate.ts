import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { estimateQuery } from '../sendings.api.ts';
import { brokenRules, toInput, type SendValues } from './send-values.ts';

/** The price of what stands in the form, asked for when typing pauses; nothing is asked while it could not be sent. */
export function useEstimate(values: SendValues) {
  // The start and the title change no price.
  const { title: _title, when: _when, at: _at, ...priced } = values;
  const [settled] = useDebouncedValue(JSON.stringify(priced), 600);
  const body = useMemo(() => {
    const draft: SendValues = { ...JSON.parse(settled), title: '', when: 'now', at: '' };
    return Object.keys(brokenRules(draft)).length ? null : toInput(draft);
  }, [settled]);
  const { data, error, isFetching } = useQuery({
    ...estimateQuery(body),
    placeholderData: body ? keepPreviousData : undefined,
  });
  return {
    estimate: body ? data : undefined,
    error: body ? error : null,
    isFetching,
    isReady: !!body,
  };
}
