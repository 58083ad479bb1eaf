import { Skeleton } from '@mantine/core';

/** As large as the usage, so that nothing moves when it is loaded. */
export const UsageRoom = () => <Skeleton w={140} h={27} />;
