import { Notifications } from '@mantine/notifications';
import { useAwayNotice } from './use-away-notice.ts';
import { useSessionClock } from './use-session-clock.tsx';
import { useUpdatePrompt } from './use-update-prompt.tsx';

/**
 * What the shell itself has to say, and the place for whatever is said: at most five at once, what came before this was
 * here waits in the library's own queue. On a small screen they come from above: below is the menu.
 */
export function Notices({ small }: { small: boolean }) {
  useAwayNotice();
  useSessionClock();
  useUpdatePrompt();
  return (
    <Notifications
      position={small ? 'top-center' : 'bottom-right'}
      limit={5}
      autoClose={5000}
      zIndex={1000}
      withinPortal={false}
    />
  );
}
