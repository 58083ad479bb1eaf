import { Notifications } from '@mantine/notifications';

/**
 * Where notices are shown, at most five at once; what came before this was here waits in the library's own queue. They keep
 * away from the buttons of pages and dialogs, which are on the right and below: they come at the bottom on the left,
 * and on a small screen, whose menu is below, over the header. A module of its own, so that only one chunk has it.
 */
export function NoticeRegion({ small }: { small: boolean }) {
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
