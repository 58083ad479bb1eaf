/** Recipients of a bulk to whom another can be sent: it did not reach them, or they did not click, or did not open it. */
export const RESEND_AUDIENCES = ['failed', 'unclicked', 'unseen'] as const;
export type ResendAudience = (typeof RESEND_AUDIENCES)[number];

/** A bulk, and which of its recipients are meant. */
export interface ResendOf {
  taskId: string;
  audience: ResendAudience;
}

/** The bulk that a `recipient` names by `failedOf`, `unclickedOf` or `unseenOf`; null for other forms. */
export function resendOf(recipient: unknown): ResendOf | null {
  if (typeof recipient !== 'object' || !recipient) return null;
  for (const audience of RESEND_AUDIENCES) {
    const taskId = (recipient as Record<string, unknown>)[`${audience}Of`];
    if (typeof taskId === 'string') return { taskId, audience };
  }
  return null;
}
