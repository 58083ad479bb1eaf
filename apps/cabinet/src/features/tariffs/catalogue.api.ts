import {
  tariffs,
  type CatalogueTariff,
  type TariffChange,
  type TariffComparisonInput,
  type TariffProbeInput,
  type TariffRule,
} from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { actOnRow, changeRow, sendBody } from '../../core/row-calls.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec } from '../../list/state/list-spec.ts';

/** A rule as a form has it: its id is given when it is stored. */
export type Rule = Omit<TariffRule, 'id'>;

export const catalogueSpec = listSpec(tariffs.catalogue, {
  filters: {},
  order: ['createdAt', 'title'],
  search: true,
  ...ACCOUNT_SIZES,
  name: 'tariffCatalogue',
});

const keys = keysOf('tariffs');

export const catalogueQuery = (id: string) =>
  queryOptions({
    queryKey: keys.of('catalogue', id),
    queryFn: ({ signal }) => api(tariffs.catalogueGet, { params: { id }, signal }),
  });

export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: keys.of('versions', id),
    queryFn: ({ signal }) => api(tariffs.versions, { params: { id }, signal }),
  });

export type ProbeBody = z.input<typeof TariffProbeInput>;

/** The answer with the type that it is about: the one before it is shown until it comes. */
export const probeQuery = (body: ProbeBody | null) =>
  queryOptions({
    queryKey: keys.of('probe', body),
    queryFn: async ({ signal }) => ({
      ...(await api(tariffs.probe, { body: body!, signal })),
      type: body!.type,
    }),
    enabled: body !== null,
  });

export type ComparisonBody = z.input<typeof TariffComparisonInput>;

export const useCompare = sendBody(tariffs.compare);

/** How often a comparison under way is asked for. */
const COMPARING_MS = 1000;

export const comparisonQuery = (id: string, OwnerId?: string) =>
  queryOptions({
    queryKey: keys.of('comparison', id, OwnerId),
    queryFn: ({ signal }) =>
      api(tariffs.comparison, { params: { id }, query: OwnerId ? { OwnerId } : {}, signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'completed' || data?.state === 'failed' ? false : COMPARING_MS,
  });

export type TariffBody = z.input<typeof TariffChange>;

export const usePriceList = sendBody(tariffs.priceList);

export const useCreateTariff = () =>
  useMutationOnce({
    mutationFn: ({ startsAt: _, ...body }: TariffBody) => api(tariffs.create, { body }),
    meta: { invalidates: ['tariffs'], showsErrors: true },
  });

export const useReplaceTariff = changeRow(tariffs.replace, 'tariffs');

export const useRemoveTariff = actOnRow(tariffs.remove, 'tariffs');

export const useWithdrawVersion = (id: string) =>
  useMutationOnce({
    mutationFn: (number: number) => api(tariffs.withdraw, { params: { id, number } }),
    meta: { invalidates: ['tariffs'], showsErrors: true },
  });

/** For a field that selects a tariff. */
export const tariffSource = {
  noun: 'tariffs' as const,
  params: ['catalogue'],
  find: (query: { limit: number; search: string | undefined }, signal: AbortSignal) =>
    api(tariffs.catalogue, {
      query: {
        ...query,
        offset: 0,
        range: {},
        scope: [],
        filter: {},
        order: [{ field: 'createdAt', direction: 'desc' }],
      },
      signal,
    }),
  get: (id: string, signal: AbortSignal) => api(tariffs.catalogueGet, { params: { id }, signal }),
  toOption: ({ id, title }: CatalogueTariff) => ({ value: id, label: title }),
};

export const useAssignTariffs = changeRow(tariffs.assign, 'tariffs', 'users');
