import { useCallback, useEffect, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { setPersonal } from '../../core/personal/mirror.ts';
import { usePersonal } from '../../core/personal/use-personal.ts';
import type { ListSpec } from './list-spec.ts';
import { change, readState, writeState, type ListState } from './list-state.ts';
import { type View, readViewSettings, type ViewSettings } from './view-settings.ts';

export interface ListControl extends ViewSettingsControl {
  spec: ListSpec;
  state: ListState;
  /** `replace` for typing: otherwise "back" would return to every letter. */
  set: (patch: Partial<ListState>, options?: { replace?: boolean }) => void;
  setFilter: (name: string, values: string[], options?: { replace?: boolean }) => void;
  clear: () => void;
  applyView: (view: View) => void;
}

export function useListState(spec: ListSpec): ListControl {
  const [params, setParams] = useSearchParams();
  const state = useMemo(() => readState(params, spec), [params, spec]);
  const { viewSettings, setViewSettings } = useViewSettings(spec.name);

  // Links of other pages and URLs typed by hand are normalised.
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
  const applyView = ({ query, columns }: View) => {
    setViewSettings({ columns });
    set(readState(new URLSearchParams(query), spec));
  };
  return { spec, state, set, setFilter, clear, viewSettings, setViewSettings, applyView };
}

interface ViewSettingsControl {
  viewSettings: ViewSettings;
  setViewSettings: (patch: Partial<ViewSettings>) => void;
}

/** Personal settings: they follow the user to other browsers. */
function useViewSettings(name: string): ViewSettingsControl {
  const key = `list.${name}` as const;
  const [stored] = usePersonal(key);
  const [density = 'comfortable'] = usePersonal('density');
  const own = useMemo(() => readViewSettings(stored), [stored]);
  const viewSettings = useMemo(() => ({ ...own, density }), [own, density]);
  const setViewSettings = ({ density: spacing, ...list }: Partial<ViewSettings>) => {
    if (spacing) setPersonal('density', spacing);
    if (Object.keys(list).length) setPersonal(key, { ...own, ...list });
  };
  return { viewSettings, setViewSettings };
}
