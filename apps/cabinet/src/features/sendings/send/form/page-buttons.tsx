import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface PageButtonsProps {
  page: number;
  pages: number;
  onChange: (page: number) => void;
}

/** Back and forth in a list inside a form. */
export function PageButtons({ page, pages, onChange }: PageButtonsProps) {
  const { t } = useTranslation();
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
    <Group gap="xs" justify="center">
      {step(t('list:previousPage'), page - 1)}
      <Text size="xs" c="dimmed" className="numeric" role="status">
        {t('send:pageOf', { page, pages })}
      </Text>
      {step(t('list:nextPage'), page + 1)}
    </Group>
  );
}
