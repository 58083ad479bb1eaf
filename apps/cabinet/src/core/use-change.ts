import { useQueryClient } from '@tanstack/react-query';
import { useMutationOnce } from './use-mutation-once.ts';

/** A call that changes rows: what is shown of these resources is asked for again when it succeeds. */
export function useChange<V, R>(
  resources: string[],
  mutationFn: (variables: V) => Promise<R>,
  /** The caller shows a refusal itself, on the fields of a form. */
  showsErrors = true,
) {
  const client = useQueryClient();
  return useMutationOnce({
    mutationFn,
    onSuccess: () =>
      Promise.all(resources.map((name) => client.invalidateQueries({ queryKey: [name] }))),
    meta: { showsErrors },
  });
}
