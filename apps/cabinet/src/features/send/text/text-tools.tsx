import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconArrowBack, IconArrowForward, IconGenerate, IconLink } from '../../../ui/icons.ts';
import { VariableButton } from '../../../ui/variable-area.tsx';
import type { useTextHistory } from './use-text-history.ts';

interface TextToolsProps {
  history: ReturnType<typeof useTextHistory>;
  onVariable: () => void;
  onLink: () => void;
  /** Absent where no text is generated. */
  onGenerate?: () => void;
}

/** Tools of a text: variables, links, the generator, undo and redo. */
export function TextTools({ history, onVariable, onLink, onGenerate }: TextToolsProps) {
  const { t } = useTranslation();
  return (
    <Group justify="space-between" gap="xs" mt={6} role="toolbar" aria-label={t('send:tools')}>
      <Group gap={6}>
        <VariableButton onClick={onVariable} />
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconLink size={16} aria-hidden />}
          onClick={onLink}
        >
          {t('send:utm.open')}
        </Button>
        {onGenerate && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconGenerate size={16} aria-hidden />}
            onClick={onGenerate}
          >
            {t('send:generator.open')}
          </Button>
        )}
      </Group>
      <Group gap={2}>
        {(['undo', 'redo'] as const).map((act) => (
          <Tooltip key={act} label={t(`send:${act}`)}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t(`send:${act}`)}
              disabled={!history.can[act]}
              onClick={history[act]}
            >
              {act === 'undo' ? (
                <IconArrowBack size={18} aria-hidden />
              ) : (
                <IconArrowForward size={18} aria-hidden />
              )}
            </ActionIcon>
          </Tooltip>
        ))}
      </Group>
    </Group>
  );
}
