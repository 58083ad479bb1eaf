import { storage, type StoredFile } from '@heliograph/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../core/api.ts';
import { upload } from '../../core/upload.ts';

/** Stored files of an account by types, the newest first. */
export const findFiles = (
  OwnerId: string,
  type: string[],
  query: { limit: number; search: string | undefined },
  signal: AbortSignal,
) =>
  api(storage.find, {
    query: {
      ...query,
      order: [{ field: 'createdAt', direction: 'desc' }],
      filter: { OwnerId, type },
    },
    signal,
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
