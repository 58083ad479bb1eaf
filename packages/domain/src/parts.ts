import { mergeReports, type StatusReport, wordsOf } from './reports.ts';

/** Merges the reports of one part of a message, which can be repeated and out of order. Null without reports. */
export function mergePart(reports: readonly StatusReport[]): StatusReport | null {
  const merged = mergeReports(reports);
  if (!merged) return null;
  const { status, code } = merged;
  const at = firstOf(reports.filter((report) => report.status === status));
  return { status, at, code, ...wordsOf(merged) };
}

/**
 * What the reports of its parts say of a message: it is delivered, and seen, when all parts are, and failed when no part is open and
 * some have failed: `partial` if others were delivered. Until then it is as far as its foremost part, `sent` at most. Null when there
 * is no report of any part.
 *
 *     mergeParts([{ status: 'delivered', at }, null]) // { status: 'sent', at, code: null }
 */
export function mergeParts(parts: readonly (StatusReport | null)[]): StatusReport | null {
  const known = parts.filter((part) => part !== null);
  const failed = known.filter(({ status }) => status === 'failed');
  const delivered = known.filter(({ status }) => status === 'delivered' || status === 'seen');
  if (!known.length) return null;
  if (failed.length && failed.length + delivered.length === parts.length) {
    const failure = mergePart(failed)!;
    const code = delivered.length ? 'partial' : failure.code;
    return { ...failure, at: lastOf(failed), code };
  }
  if (delivered.length === parts.length) {
    const isSeen = delivered.every(({ status }) => status === 'seen');
    return { status: isSeen ? 'seen' : 'delivered', at: lastOf(delivered), code: null };
  }
  const sent = known.filter(({ status }) => status !== 'processing');
  const [status, of] = sent.length ? (['sent', sent] as const) : (['processing', known] as const);
  return { status, at: firstOf(of), code: null };
}

const LATEST = new Date(8.64e15);
const firstOf = (parts: readonly StatusReport[]) =>
  parts.reduce((first, { at }) => (at < first ? at : first), LATEST);
const lastOf = (parts: readonly StatusReport[]) =>
  parts.reduce((last, { at }) => (at > last ? at : last), parts[0]!.at);
