import { FILE_PRESETS, PRESET_RULES, type FilePreset } from '@heliograph/domain';

/** The preset of a MIME type, the most special one; null if none but `all` has it. */
export function kindOf(type: string): Exclude<FilePreset, 'all'> | null {
  if (type === 'text/plain') return 'document';
  const found = FILE_PRESETS.find((preset) => PRESET_RULES[preset].types?.includes(type));
  return (found as Exclude<FilePreset, 'all'> | undefined) ?? null;
}

export type PreviewKind = 'image' | 'audio' | 'video' | 'pdf' | 'table' | 'text';

/** How a file is shown; null if it is only downloaded. */
export function previewKindOf(type: string): PreviewKind | null {
  if (PRESET_RULES.image.types!.includes(type)) return 'image';
  if (type.startsWith('audio/')) return 'audio';
  if (type === 'video/mp4' || type === 'video/webm') return 'video';
  if (type === 'application/pdf') return 'pdf';
  if (type === 'text/plain' || type === 'application/json') return 'text';
  return PRESET_RULES.sheet.types!.includes(type) ? 'table' : null;
}
