import { useCallback, useEffect, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { ListSpec } from './list-spec.ts';
import { change, readState, writeState, type ListState } from './list-state.ts';

export interface ListControl {
  spec: ListSpec;
  state: ListState;
  /** `replace` for typing, so that "back" does not walk through single letters. */
  set: (patch: Partial<ListState>, options?: { replace?: boolean }) => void;
  setFilter: (name: string, values: string[], options?: { replace?: boolean }) => void;
  clear: () => void;
}

export function useListState(spec: ListSpec): ListControl {
  const [params, setParams] = useSearchParams();
  const state = useMemo(() => readState(params, spec), [params, spec]);

  // Links of other pages and hand-made URLs are brought into the one form that is shared and bookmarked.
  useEffect(() => {
    const clean = writeState(state, spec, params);
    if (clean.toString() !== params.toString()) setParams(clean, { replace: true });
  }, [params, setParams, spec, state]);

  const set = useCallback<ListControl['set']>(
    (patch, options) => {
      setParams((now) => writeState(change(readState(now, spec), patch), spec, now), options);
    },
    [setParams, spec],
  );
  const setFilter = useCallback<ListControl['setFilter']>(
    (name, values, options) => {
      const { [name]: _old, ...others } = state.filters;
      set({ filters: values.length ? { ...others, [name]: values } : others }, options);
    },
    [set, state.filters],
  );
  const clear = useCallback(() => set({ filters: {}, search: '', period: '' }), [set]);
  return { spec, state, set, setFilter, clear };
}
