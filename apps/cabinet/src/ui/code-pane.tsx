import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyButton } from './copy-button.tsx';
import { IconCheck, IconCopy } from './icons.ts';

interface CodePaneProps {
  /** The accessible name. */
  label: string;
  hint: string;
  code: string;
  /** Height in pixels above which the code scrolls. */
  maxHeight?: number;
}

/** Something for programs, to be read and copied. */
export function CodePane({ label, hint, code, maxHeight }: CodePaneProps) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs">
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
              {t(copied ? 'common:copied' : 'common:copy')}
              <span className="visually-hidden"> {label}</span>
            </Button>
          )}
        </CopyButton>
      </Group>
      {/* Not a region: a page of documentation has many of them. */}
      <Code
        block
        tabIndex={0}
        role="group"
        aria-label={label}
        mah={maxHeight}
        bg="var(--mantine-color-default)"
        bd="1px solid var(--mantine-color-default-border)"
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', overflowY: 'auto' }}
      >
        {code}
      </Code>
    </Stack>
  );
}
