import { Button, Group, Text, type MantineSpacing } from '@mantine/core';

interface PageButtonsProps {
  page: number;
  pages: number;
  previous: string;
  next: string;
  /** Where the page is among all. */
  place: string;
  onChange: (page: number) => void;
  mt?: MantineSpacing;
}

/** Back and forth in a list inside a form or a dialog. */
export function PageButtons(props: PageButtonsProps) {
  const { page, pages, previous, next, place, onChange, mt } = props;
  if (pages < 2) return null;
  const step = (label: string, to: number) => (
    <Button
      size="compact-sm"
      variant="default"
      disabled={to < 1 || to > pages}
      onClick={() => onChange(to)}
    >
      {label}
    </Button>
  );
  return (
    <Group gap="xs" justify="center" mt={mt}>
      {step(previous, page - 1)}
      <Text size="xs" c="dimmed" className="numeric" role="status">
        {place}
      </Text>
      {step(next, page + 1)}
    </Group>
  );
}
