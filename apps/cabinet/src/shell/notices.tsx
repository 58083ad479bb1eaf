import { useAwayNotice } from './use-away-notice.ts';
import { useSessionClock } from './use-session-clock.tsx';
import { useServiceWorker } from './use-service-worker.ts';
import { useUpdatePrompt } from './use-update-prompt.tsx';

/** What the shell itself has to say; `NoticeRegion` shows it. */
export function Notices() {
  useAwayNotice();
  useSessionClock();
  useUpdatePrompt();
  useServiceWorker();
  return null;
}
