import { Notifications } from '@mantine/notifications';

/**
 * At most five at once; what came before this was here waits in the library's own queue. On a small screen they come
 * from above: below is the menu.
 */
export function Notices({ small }: { small: boolean }) {
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
