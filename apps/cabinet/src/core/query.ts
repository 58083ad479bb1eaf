import { MutationCache, QueryClient, type Query } from '@tanstack/react-query';
import { isAway, isRefusedForGood } from './errors.ts';
import { session } from './session/session.ts';
import { showError } from './toast.tsx';

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** The caller shows the refusal itself, for instance on the fields of a form. */
      showsErrors?: boolean;
    };
  }
}

const RETRY_MS = 5000;

/** What failed because nobody answered is asked for again until somebody does. A `refetchInterval`. */
export const untilAnswered = ({ state }: Pick<Query, 'state'>): number | false =>
  isAway(state.error) && RETRY_MS;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The socket keeps rows fresh; this is for what it does not carry.
      staleTime: 30_000,
      refetchInterval: untilAnswered,
      retry: (failures, error) => !isRefusedForGood(error) && failures < 2,
    },
    // Without a network it fails and says so: held back, it would leave a form that waits without a word.
    mutations: { networkMode: 'always' },
  },
  mutationCache: new MutationCache({
    onError(error, _variables, _result, mutation) {
      if (!mutation.meta?.showsErrors) showError(error);
    },
  }),
});

// Nothing of one account may be seen by the next. Not already when a session ends: the page that is leaving would ask
// for everything once more, without a token.
let identity = session.get().identity;
session.subscribe(() => {
  const now = session.get();
  if (now.identity === identity || !now.token) return;
  identity = now.identity;
  queryClient.clear();
});
