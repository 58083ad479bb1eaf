import type { Request } from 'express';

/** The compressions of documents and files, the smallest first. */
export const COMPRESSIONS = ['br', 'gzip'] as const;
export type Encoding = (typeof COMPRESSIONS)[number] | 'identity';

/** The smallest of the offered encodings that the client accepts. */
export function encodingOf(
  request: Request,
  offered: readonly Encoding[] = COMPRESSIONS,
): Encoding {
  return offered.find((encoding) => request.acceptsEncodings(encoding)) ?? 'identity';
}
