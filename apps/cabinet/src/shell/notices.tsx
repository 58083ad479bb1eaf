import { Notifications } from '@mantine/notifications';

/** At most five at once; whatever came before this was here waits in the library's own queue. */
export function Notices() {
  return (
    <Notifications
      position="bottom-right"
      limit={5}
      autoClose={5000}
      zIndex={1000}
      withinPortal={false}
    />
  );
}
