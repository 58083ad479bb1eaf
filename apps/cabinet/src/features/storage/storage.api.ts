import { storage, type StoredFile } from '@heliograph/contract';
import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { upload } from '../../core/upload.ts';

const PICKER_PAGE_SIZE = 12;

/** Stored files of an account by types: the newest twelve, or the newest twelve that match the search. */
export const pickableQuery = (OwnerId: string, types: string[], search: string) =>
  queryOptions({
    queryKey: keysOf('storage').of('pick', OwnerId, types, search),
    queryFn: ({ signal }) =>
      api(storage.find, {
        query: {
          limit: PICKER_PAGE_SIZE,
          order: [{ field: 'createdAt', direction: 'desc' }],
          search: search || undefined,
          filter: { OwnerId, type: types },
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

/** Uploads a file. A running upload is aborted when its component is unmounted. */
export function useUpload(onStored: (file: StoredFile) => void) {
  const [progress, setProgress] = useState(0);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: (file: File) => {
      setProgress(0);
      running.current = new AbortController();
      return upload(file, setProgress, running.current.signal);
    },
    onSuccess: onStored,
    meta: { invalidates: ['storage'], waitsForRefetch: false, showsErrors: true },
  });
  return {
    start: mutate,
    /** 0 to 1; null when nothing is under way. */
    progress: isPending ? progress : null,
    stored: data,
    error,
  };
}
