import { Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface OptionsFailureProps {
  text: string;
  onRetry: () => void;
}

/** Why the options could not be loaded. Opening the list again loads them again, too; the button is for the pointer. */
export function OptionsFailure({ text, onRetry }: OptionsFailureProps) {
  const { t } = useTranslation();
  return (
    <Stack gap={4} align="center">
      <Text size="sm">{text}</Text>
      <Button
        size="compact-sm"
        variant="default"
        tabIndex={-1}
        // The field keeps the focus, so that the list stays open.
        onMouseDown={(event) => event.preventDefault()}
        onClick={onRetry}
      >
        {t('common:retry')}
      </Button>
    </Stack>
  );
}
