import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { meQuery } from '../core/account.ts';
import { useStored } from '../core/stored.ts';
import { readLook, type Look } from './look.ts';

export interface LookControl {
  look: Look;
  setLook: (patch: Partial<Look>) => void;
}

/** Kept in this browser, for each person apart: a view may hold a customer's number. */
export function useLook(name: string): LookControl {
  const { data: me } = useQuery(meQuery);
  const [text, store] = useStored(`heliograph.list.${me?.id ?? ''}.${name}`);
  const look = useMemo(() => readLook(text), [text]);
  return { look, setLook: (patch) => store(JSON.stringify({ ...look, ...patch })) };
}
