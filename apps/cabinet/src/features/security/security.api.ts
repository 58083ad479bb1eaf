import { identities, passkeys, secondFactor, sessions } from '@heliograph/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { actOnRow, changeRow, sendBody } from '../../core/row-calls.ts';
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

export const useSetUp = sendBody(secondFactor.setUp);

/** `settings` say whether the second factor must be set up. */
export const useEnable = sendBody(secondFactor.enable, 'secondFactor', 'settings');

export const useDisable = sendBody(secondFactor.disable, 'secondFactor', 'settings');

export const useReplaceCodes = sendBody(secondFactor.replaceCodes, 'secondFactor');

export const passkeysQuery = queryOptions({
  queryKey: keysOf('passkeys').of('own'),
  queryFn: ({ signal }) => api(passkeys.find, { signal }),
});

export const useBeginPasskey = sendBody(passkeys.begin);

export const useCreatePasskey = sendBody(passkeys.create, 'passkeys');

export const useRenamePasskey = changeRow(passkeys.update, 'passkeys');

export const useRemovePasskey = actOnRow(passkeys.remove, 'passkeys');

export const identitiesQuery = queryOptions({
  queryKey: keysOf('identities').of('own'),
  queryFn: ({ signal }) => api(identities.find, { signal }),
});

export const useBeginIdentity = changeRow(identities.begin);

export const useRemoveIdentity = actOnRow(identities.remove, 'identities');

export const useEndSession = actOnRow(sessions.remove, 'sessions');

export const useEndOthers = () =>
  useMutationOnce({
    mutationFn: () => api(sessions.removeOthers),
    meta: { invalidates: ['sessions'] },
  });
