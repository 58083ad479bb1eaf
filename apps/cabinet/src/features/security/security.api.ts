import { secondFactor, sessions } from '@heliograph/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';

export const factorQuery = queryOptions({
  queryKey: keysOf('secondFactor').of('state'),
  queryFn: ({ signal }) => api(secondFactor.get, { signal }),
});

/** As many open sessions as are shown at first. */
export const SESSIONS_SHOWN = 10;

/** The open sessions, last used first. */
export const sessionsQuery = (limit: number) =>
  queryOptions({
    queryKey: keysOf('sessions').of('open', limit),
    queryFn: ({ signal }) => api(sessions.find, { query: { limit }, signal }),
    placeholderData: keepPreviousData,
  });

interface Proof {
  password: string;
  code: string;
}

export const useSetUp = () =>
  useMutationOnce({
    mutationFn: (body: { password: string }) => api(secondFactor.setUp, { body }),
    meta: { showsErrors: true },
  });

/** `settings` say whether the second factor must be set up. */
export const useEnable = () =>
  useMutationOnce({
    mutationFn: (body: { code: string }) => api(secondFactor.enable, { body }),
    meta: { invalidates: ['secondFactor', 'settings'], showsErrors: true },
  });

export const useDisable = () =>
  useMutationOnce({
    mutationFn: (body: Proof) => api(secondFactor.disable, { body }),
    meta: { invalidates: ['secondFactor', 'settings'], showsErrors: true },
  });

export const useReplaceCodes = () =>
  useMutationOnce({
    mutationFn: (body: Proof) => api(secondFactor.replaceCodes, { body }),
    meta: { invalidates: ['secondFactor'], showsErrors: true },
  });

export const useEndSession = () =>
  useMutationOnce({
    mutationFn: (id: string) => api(sessions.remove, { params: { id } }),
    meta: { invalidates: ['sessions'] },
  });

export const useEndOthers = () =>
  useMutationOnce({
    mutationFn: () => api(sessions.removeOthers),
    meta: { invalidates: ['sessions'] },
  });
