import { Center, Loader } from '@mantine/core';

/** Stands until the first page's code is here. */
export function Splash() {
  return (
    <Center mih="100dvh" aria-busy>
      <Loader />
    </Center>
  );
}
