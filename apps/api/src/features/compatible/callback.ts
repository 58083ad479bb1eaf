import type { StatusCallback } from '../sendings/sendings.service.ts';

/** The `data` of an event `sendings.status`, as far as callbacks report it. */
export interface StatusReport {
  id: string;
  recipient: string;
  sender: string;
  status: string;
  error: { code: string | null; message: string | null };
  sentAt: string | null;
}

/** What a callback is composed of. */
export interface CallbackFacts {
  callback: StatusCallback;
  report: StatusReport;
  at: Date;
  /** That of the queue. */
  secret: () => Promise<string>;
}
