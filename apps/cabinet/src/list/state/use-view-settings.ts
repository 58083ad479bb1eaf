import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { meQuery } from '../../core/account.ts';
import { useStored } from '../../core/stored.ts';
import { readViewSettings, type ViewSettings } from './view-settings.ts';

export interface ViewSettingsControl {
  viewSettings: ViewSettings;
  setViewSettings: (patch: Partial<ViewSettings>) => void;
}

/** Stored in this browser for each user separately: a view may contain a customer's phone number. */
export function useViewSettings(name: string): ViewSettingsControl {
  const { data: me } = useQuery(meQuery);
  const [text, store] = useStored(`heliograph.list.${me?.id ?? ''}.${name}`);
  const viewSettings = useMemo(() => readViewSettings(text), [text]);
  return {
    viewSettings,
    setViewSettings: (patch) => store(JSON.stringify({ ...viewSettings, ...patch })),
  };
}
