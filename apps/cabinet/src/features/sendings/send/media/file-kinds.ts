import type { TFunction } from 'i18next';

export type FileKind = 'image' | 'video' | 'audio' | 'any';

/** What the server's storage calls them. Only these recordings can be played in a call. */
export const MIME: Record<FileKind, string[]> = {
  image: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
  video: ['video/mp4'],
  audio: ['audio/wav', 'audio/mpeg'],
  any: [],
};

export function bytesText(t: TFunction, bytes: number): string {
  const [unit, size] =
    bytes < 1024 * 1024
      ? (['kb', Math.max(1, Math.round(bytes / 1024))] as const)
      : (['mb', Math.round((bytes / 1024 / 1024) * 10) / 10] as const);
  return t(`send:size.${unit}`, { size });
}
