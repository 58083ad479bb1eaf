import type { Endpoint } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from './api.ts';
import { keysOf, type Noun } from './query-keys.ts';
import { useMutationOnce } from './use-mutation-once.ts';

type BodyOf<E extends Endpoint> = z.input<NonNullable<E['body']>>;
type ResponseOf<E extends Endpoint> = z.output<E['response']>;
type ById = Endpoint<z.ZodObject<{ id: z.ZodGUID }>>;

/** What a call takes depends on its endpoint: the functions below say it. */
const call = api as <E extends Endpoint>(endpoint: E, given: object) => Promise<ResponseOf<E>>;

/** The query of a row by its id, into which events are merged. */
export const rowQuery =
  <E extends ById>(noun: Noun, endpoint: E, query = {}) =>
  (id: string) =>
    queryOptions({
      queryKey: keysOf(noun).get(id),
      queryFn: ({ signal }) => call(endpoint, { params: { id }, query, signal }),
    });

/** A hook of a form that sends a body, and refetches what has the nouns: `useCreatePattern = sendBody(patterns.create, 'patterns')`. */
export const sendBody = <E extends Endpoint>(endpoint: E, ...invalidates: Noun[]) =>
  function useSendBody() {
    return useMutationOnce({
      mutationFn: (body: BodyOf<E>) => call(endpoint, { body }),
      meta: { invalidates, showsErrors: true },
    });
  };

/** A hook of a form that sends a body to a row. */
export const changeRow = <E extends ById>(endpoint: E, ...invalidates: Noun[]) =>
  function useChangeRow(id: string) {
    return useMutationOnce({
      mutationFn: (body: BodyOf<E>) => call(endpoint, { params: { id }, body }),
      meta: { invalidates, showsErrors: true },
    });
  };

/** A hook of a form that makes a row where there is no `id`, else changes it. */
export const saveRow = <C extends Endpoint, U extends ById>(
  endpoints: { create: C; update: U },
  ...invalidates: Noun[]
) =>
  function useSaveRow(id: string | undefined) {
    return useMutationOnce({
      mutationFn: (body: BodyOf<C>): Promise<ResponseOf<C>> =>
        id ? call(endpoints.update, { params: { id }, body }) : call(endpoints.create, { body }),
      meta: { invalidates, showsErrors: true },
    });
  };

/** A hook for a button of rows, `useRemovePattern = actOnRow(patterns.remove, 'patterns')`: its mutation takes the id, and errors are shown above the page. */
export const actOnRow = <E extends ById>(endpoint: E, ...invalidates: Noun[]) =>
  function useActOnRow() {
    return useMutationOnce({
      mutationFn: (id: string) => call(endpoint, { params: { id } }),
      meta: { invalidates },
    });
  };
