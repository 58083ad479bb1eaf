import { storage } from '@heliograph/contract';
import { FILE_PRESETS, type FilePreset } from '@heliograph/domain';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { changeRow } from '../../core/row-calls.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { listSpec, oneOf, text } from '../../list/state/list-spec.ts';
import { findQuery } from '../../list/state/use-list.ts';

export const storageSpec = listSpec(storage.find, {
  filters: { preset: oneOf(FILE_PRESETS), OwnerId: text },
  order: ['createdAt', 'title', 'size'],
  period: 'createdAt',
  search: true,
  // Specification, section 9.
  size: 17,
  sizes: [17, 34, 68],
});

const PICKER_PAGE_SIZE = 12;
const pickerSpec = listSpec(storage.find, {
  filters: { type: text, preset: text, OwnerId: text },
  order: ['createdAt'],
  search: true,
  name: 'filePicker',
});

interface PickerRequest {
  OwnerId: string;
  preset?: FilePreset;
  /** MIME types; any if absent. */
  types?: string[];
  search: string;
  /** From 1. */
  page: number;
}

/** One page of the files to choose from, the newest first. */
export const pickerQuery = ({ OwnerId, preset, types, search, page }: PickerRequest) => ({
  ...findQuery(pickerSpec, {
    offset: (page - 1) * PICKER_PAGE_SIZE,
    limit: PICKER_PAGE_SIZE,
    order: [{ field: 'createdAt', direction: 'desc' }],
    search: search || undefined,
    filter: { OwnerId, ...(preset && { preset }), ...(types?.length && { type: types }) },
  }),
  placeholderData: keepPreviousData,
});
export const pickerPages = (total = 0): number => Math.ceil(total / PICKER_PAGE_SIZE);

export const usageQuery = queryOptions({
  queryKey: keysOf('storage').of('usage'),
  queryFn: ({ signal }) => api(storage.usage, { signal }),
});

export const previewQuery = (id: string, sheet?: string) =>
  queryOptions({
    queryKey: keysOf('storage').of('preview', id, sheet),
    queryFn: ({ signal }) => api(storage.preview, { params: { id }, query: { sheet }, signal }),
    // Contents do not change.
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  });

export const useUpdateFile = changeRow(storage.update, 'storage');

export const useRemoveFile = () =>
  useMutationOnce({
    mutationFn: (id: string) => api(storage.remove, { params: { id } }),
    meta: { invalidates: ['storage'], showsErrors: true },
  });
