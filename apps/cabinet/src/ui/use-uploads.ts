import { localFileError, PRESET_RULES, type FilePreset } from '@heliograph/domain';
import { useEffect, useRef, useState } from 'react';

/** Sends a file; progress is 0 to 1. */
export type Send<T> = (
  file: File,
  onProgress: (ratio: number) => void,
  signal: AbortSignal,
) => Promise<T>;

export type UploadRefusal = 'empty' | 'file_type' | 'file_size';
export interface UploadEntry {
  key: number;
  name: string;
  state: 'waiting' | 'sending' | 'done' | 'refused' | 'failed';
  /** 0 to 1, while it is sent. */
  ratio: number;
  refusal?: UploadRefusal;
  error?: unknown;
}

interface Options<T> {
  preset: FilePreset;
  extensions: readonly string[];
  maxSize: number;
  send: Send<T>;
  onSent: (stored: T) => void;
}

/** Files that are sent one after another. Leaving the page cancels those that are not done. */
export function useUploads<T>({ preset, extensions, maxSize, send, onSent }: Options<T>) {
  const [uploads, setUploads] = useState<UploadEntry[]>([]);
  const queue = useRef<{ key: number; file: File }[]>([]);
  const running = useRef<{ key: number; controller: AbortController }>(null);
  const nextKey = useRef(0);
  const current = useRef({ send, onSent });
  current.current = { send, onSent };

  const change = (key: number, changes: Partial<UploadEntry>) =>
    setUploads((all) => all.map((one) => (one.key === key ? { ...one, ...changes } : one)));
  const dismiss = (key: number) => setUploads((all) => all.filter((one) => one.key !== key));

  const next = async (): Promise<void> => {
    const item = queue.current.shift();
    if (!item) return;
    const { key, file } = item;
    const controller = new AbortController();
    running.current = { key, controller };
    change(key, { state: 'sending' });
    try {
      const stored = await current.current.send(
        file,
        (ratio) => change(key, { ratio }),
        controller.signal,
      );
      change(key, { state: 'done', ratio: 1 });
      current.current.onSent(stored);
    } catch (error) {
      if (controller.signal.aborted) dismiss(key);
      else change(key, { state: 'failed', error });
    }
    running.current = null;
    await next();
  };

  useEffect(
    () => () => {
      queue.current = [];
      running.current?.controller.abort();
    },
    [],
  );

  return {
    uploads,
    add(files: File[]) {
      const limit = Math.min(maxSize, PRESET_RULES[preset].maxSize);
      const added = files.map((file): UploadEntry & { file: File } => {
        const key = nextKey.current++;
        const refusal =
          localFileError({ ...PRESET_RULES[preset], extensions }, file) ??
          (file.size > limit ? ('file_size' as const) : null);
        const state = refusal ? ('refused' as const) : ('waiting' as const);
        return { key, name: file.name, state, ratio: 0, refusal: refusal ?? undefined, file };
      });
      // What is settled makes room for what comes.
      setUploads((all) => [
        ...all.filter(({ state }) => state === 'waiting' || state === 'sending'),
        ...added.map(({ file: _, ...entry }) => entry),
      ]);
      queue.current.push(...added.filter(({ state }) => state === 'waiting'));
      if (!running.current) void next();
    },
    cancel(key: number) {
      if (running.current?.key === key) running.current.controller.abort();
      else {
        queue.current = queue.current.filter((one) => one.key !== key);
        dismiss(key);
      }
    },
    dismiss,
  };
}
