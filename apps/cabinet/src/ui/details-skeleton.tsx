import { Skeleton, Stack } from '@mantine/core';

export function DetailsSkeleton() {
  return (
    <Stack aria-busy>
      <Skeleton height={28} width={140} />
      <Skeleton height={80} />
      <Skeleton height={160} />
    </Stack>
  );
}
