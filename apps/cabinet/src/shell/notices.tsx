import { Notifications } from '@mantine/notifications';
import { useAwayNotice } from './use-away-notice.ts';
import { useSessionClock } from './use-session-clock.tsx';
import { useUpdatePrompt } from './use-update-prompt.tsx';

/**
 * What the shell itself has to say, and the place for whatever is said: at most five at once, what came before this was
 * here waits in the library's own queue. They keep away from the buttons of pages and dialogs, which are on the right
 * and below: they come at the bottom on the left, and on a small screen, whose menu is below, over the header.
 */
export function Notices({ small }: { small: boolean }) {
  useAwayNotice();
  useSessionClock();
  useUpdatePrompt();
  return (
    <Notifications
      position={small ? 'top-center' : 'bottom-left'}
      limit={5}
      autoClose={5000}
      zIndex={1000}
      withinPortal={false}
    />
  );
}
