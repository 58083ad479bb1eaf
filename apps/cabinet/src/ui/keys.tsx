import { Group, Kbd } from '@mantine/core';

/** Keys as printed on the keyboard: `g h` one after the other, `Ctrl K · ⌘ K` alternatives. */
export function Keys({ keys }: { keys: string }) {
  return (
    <Group gap={4} justify="end" wrap="nowrap">
      {keys
        .split(' ')
        .map((key, index) =>
          key === '·' ? <span key={index}>·</span> : <Kbd key={index}>{key}</Kbd>,
        )}
    </Group>
  );
}
