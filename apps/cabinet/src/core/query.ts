import { ApiError } from '@heliograph/contract';
import {
  MutationCache,
  QueryCache,
  QueryClient,
  type MutationMeta,
  type Query,
} from '@tanstack/react-query';
import { isAway, isDenied, isRefusedForGood } from './errors.ts';
import { keysOf, type Noun } from './query-keys.ts';
import { session } from './session/session.ts';
import { showError } from './toast.tsx';

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** The caller shows the refusal itself, for instance on the fields of a form. */
      showsErrors?: boolean;
      /** Nouns whose rows the call changes: when it succeeds, their queries are refetched before its own `onSuccess`. */
      invalidates?: readonly Noun[];
      /** A call after a call: a refusal may come after some of them changed rows. */
      isInSteps?: true;
      /** False where the caller's `onSuccess` does not need the refetched rows. */
      waitsForRefetch?: false;
    };
  }
}

const RETRY_MS = 5000;

/** A `refetchInterval`: a query that failed because the server was unreachable is retried until it is answered. */
export const untilAnswered = ({ state }: Pick<Query, 'state'>): number | false =>
  isAway(state.error) && RETRY_MS;

/** A `refetchInterval`: what is not there or not allowed is not asked for over and over. */
export const pollEvery =
  (ms: number) =>
  ({ state }: Pick<Query, 'state'>): number | false =>
    !isDenied(state.error) && ms;

/** The second factor of this user was reset or became required while the page was open. */
function leaveForSetup(error: unknown): void {
  if (error instanceof ApiError && error.code === 'second_factor_setup_required')
    location.assign('/second-factor');
}

export const createQueryClient = (): QueryClient => {
  const client: QueryClient = new QueryClient({
    defaultOptions: {
      queries: {
        // The socket keeps rows fresh; this is for what it does not carry.
        staleTime: 30_000,
        refetchInterval: untilAnswered,
        retry: (failures, error) => !isRefusedForGood(error) && failures < 2,
      },
      // Without a network a mutation fails at once: a paused one would leave its form pending without an explanation.
      mutations: { networkMode: 'always' },
    },
    queryCache: new QueryCache({
      onError(error, { queryKey }) {
        leaveForSetup(error);
        if (queryKey[0] !== 'settings') checkRights(error);
      },
    }),
    mutationCache: new MutationCache({
      onSuccess(_data, _variables, _result, { meta }) {
        const refetched = refetch(meta);
        return meta?.waitsForRefetch === false ? undefined : refetched;
      },
      onError(error, _variables, _result, { meta }) {
        leaveForSetup(error);
        checkRights(error);
        if (meta?.isInSteps) void refetch(meta);
        if (!meta?.showsErrors) showError(error);
      },
    }),
  });
  /** Rights were taken away while the page was open: its menu and buttons are those of the settings. */
  const checkRights = (error: unknown): void => {
    if (error instanceof ApiError && error.code === 'forbidden')
      void client.invalidateQueries({ queryKey: keysOf('settings').all }, { cancelRefetch: false });
  };
  const refetch = (meta: MutationMeta | undefined) =>
    Promise.all(
      (meta?.invalidates ?? []).map((noun) =>
        client.invalidateQueries({ queryKey: keysOf(noun).all }),
      ),
    );
  return client;
};

export const queryClient = createQueryClient();

// The cache of one account must not be shown to the next. It is not cleared when a session ends: the page that is being
// left would refetch everything without a token.
let identity = session.get().identity;
session.subscribe(() => {
  const now = session.get();
  if (now.identity === identity || !now.token) return;
  identity = now.identity;
  queryClient.clear();
});
