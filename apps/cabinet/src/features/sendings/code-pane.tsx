import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../ui/copy-button.tsx';
import { IconCheck, IconCopy } from '../../ui/icons.ts';

interface CodePaneProps {
  /** The accessible name. */
  label: string;
  hint: string;
  code: string;
}

/** Something for programs, to be read and copied. */
export function CodePane({ label, hint, code }: CodePaneProps) {
  const { t } = useTranslation();
  return (
    <Stack gap="sm">
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
        <CopyButton value={code}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              size="xs"
              onClick={copy}
              style={{ flexShrink: 0 }}
              leftSection={
                copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />
              }
            >
              {t(copied ? 'common:copied' : 'sendings:copy')}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Code
        block
        tabIndex={0}
        role="region"
        aria-label={label}
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {code}
      </Code>
    </Stack>
  );
}
