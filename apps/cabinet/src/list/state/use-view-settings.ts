import { useMemo } from 'react';
import { setPersonal } from '../../core/personal/mirror.ts';
import { usePersonal } from '../../core/personal/use-personal.ts';
import { readViewSettings, type ViewSettings } from './view-settings.ts';

export interface ViewSettingsControl {
  viewSettings: ViewSettings;
  setViewSettings: (patch: Partial<ViewSettings>) => void;
}

/** Personal settings: they follow the user to other browsers. */
export function useViewSettings(name: string): ViewSettingsControl {
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
