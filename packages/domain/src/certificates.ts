export interface CertificateFacts {
  subject: string;
  /** ISO 8601. */
  endsAt: string;
  fingerprint: string;
}

export const CERTIFICATE_STAGES = ['valid', 'ending', 'urgent', 'ended'] as const;
export type CertificateStage = (typeof CERTIFICATE_STAGES)[number];

const DAY_MS = 86_400_000;
const ENDING_DAYS = 30;
const URGENT_DAYS = 7;

/** How near the end of a certificate is: less than 30 days, less than 7, or over. */
export function certificateStage(endsAt: Date, now: Date): CertificateStage {
  const days = (endsAt.getTime() - now.getTime()) / DAY_MS;
  if (days <= 0) return 'ended';
  if (days < URGENT_DAYS) return 'urgent';
  return days < ENDING_DAYS ? 'ending' : 'valid';
}
