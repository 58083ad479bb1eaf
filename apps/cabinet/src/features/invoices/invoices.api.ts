import {
  companies,
  invoices,
  requisites,
  type Company,
  type Requisite,
} from '@heliograph/contract';
import { INVOICE_STATUSES, INVOICE_TYPES } from '@heliograph/domain';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { actOnRow, changeRow, rowQuery } from '../../core/row-calls.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec, manyOf, text } from '../../list/state/list-spec.ts';

export const invoiceSpec = listSpec(invoices.find, {
  filters: {
    status: manyOf(INVOICE_STATUSES),
    type: manyOf(INVOICE_TYPES),
    docNumber: text,
    OwnerId: text,
  },
  order: ['createdAt', 'amount'],
  period: 'createdAt',
  search: true,
  ...ACCOUNT_SIZES,
});

export const invoiceQuery = rowQuery('invoices', invoices.get);

export const requisiteQuery = rowQuery('requisites', requisites.get);

/** Makes the document again if its file was deleted. */
export const documentQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('invoices').of('document', id),
    queryFn: ({ signal }) => api(invoices.document, { params: { id }, signal }),
  });

export const useCreateInvoice = () =>
  useMutationOnce({
    mutationFn: (body: z.input<NonNullable<typeof invoices.create.body>>) =>
      api(invoices.create, { query: { $scope: ['awaitDocument'] }, body }),
    meta: { invalidates: ['invoices', 'storage'], showsErrors: true },
  });

export const usePayInvoice = actOnRow(invoices.pay, 'invoices', 'billings');

export const useRejectInvoice = changeRow(invoices.reject, 'invoices');

export const useSendInvoice = changeRow(invoices.send, 'invoices');

const FIRST = {
  offset: 0,
  range: {},
  order: [{ field: 'createdAt' as const, direction: 'desc' as const }],
};

/** The requisites of an account. */
export const requisiteSource = (OwnerId: string) => ({
  noun: 'requisites' as const,
  params: ['of', OwnerId],
  find: (query: { limit: number; search: string | undefined }, signal: AbortSignal) =>
    api(requisites.find, {
      query: { ...query, ...FIRST, scope: [], filter: { OwnerId, isActive: true } },
      signal,
    }),
  get: (id: string, signal: AbortSignal) =>
    api(requisites.get, { params: { id }, query: {}, signal }),
  toOption: ({ id, title }: Requisite) => ({ value: id, label: title }),
});

/** The companies that issue documents of a type to an account, of the form of taxation of its requisite. */
export const companySource = (
  customerId: string,
  vat: boolean,
  type: 'invoice' | 'contract' = 'invoice',
) => ({
  noun: 'companies' as const,
  params: ['of', customerId, vat, type],
  find: (query: { limit: number; search: string | undefined }, signal: AbortSignal) =>
    api(companies.find, {
      query: {
        ...query,
        ...FIRST,
        scope: ['documentTypes'],
        filter: { customerId, vat, isActive: true, type: [type] },
      },
      signal,
    }),
  get: (id: string, signal: AbortSignal) =>
    api(companies.get, { params: { id }, query: {}, signal }),
  toOption: ({ id, title }: Company) => ({ value: id, label: title }),
});

interface Source<Row> {
  noun: 'requisites' | 'companies';
  params: readonly unknown[];
  find: (
    query: { limit: number; search: string | undefined },
    signal: AbortSignal,
  ) => Promise<{ data: Row[] }>;
}

const MAX_OPTIONS = 100;

/** All that a field offers, to tell whether there is anything to choose from. */
export const optionsQuery = <Row>({ noun, params, find }: Source<Row>) =>
  queryOptions({
    queryKey: keysOf(noun).of('all', ...params),
    queryFn: ({ signal }) => find({ limit: MAX_OPTIONS, search: undefined }, signal),
  });
