import { Button, Group, Text, Title } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog, type DialogWidth } from './dialog.tsx';
import { IconArrowLeft } from './icons.ts';

export interface DialogStep {
  title: string;
  content: ReactNode;
  /** The button that completes the step; absent where a choice in the step does. */
  confirm?: ReactNode;
}

interface StepperDialogProps {
  opened: boolean;
  title: string;
  steps: readonly DialogStep[];
  /** The index of the current step. The page keeps it, and sets it to 0 when the dialog is closed. */
  step: number;
  /** Absent in a step that has no way back. */
  onBack?: () => void;
  onClose: () => void;
  /** A call runs: the dialog does not close. */
  busy?: boolean;
  /** As of `Dialog`. */
  savesNothing?: boolean;
  size?: DialogWidth;
  /** Further buttons, at the other end. */
  aside?: ReactNode;
}

/** A dialog of several steps, one at a time. A new step gets the focus, so that it is read out. */
export function StepperDialog(props: StepperDialogProps) {
  const {
    opened,
    title,
    steps,
    step,
    onBack,
    onClose,
    busy,
    savesNothing,
    size = 600,
    aside,
  } = props;
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    // The dialog itself takes the focus when it opens.
    if (shown.current !== step) heading.current?.focus();
    shown.current = step;
  }, [step]);
  const current = steps[step]!;
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      busy={busy}
      savesNothing={savesNothing}
      title={title}
      size={size}
    >
      <Text size="xs" c="dimmed">
        {t('common:step.of', { number: step + 1, count: steps.length })}
      </Text>
      <Title order={3} size="h4" mb="md" ref={heading} tabIndex={-1}>
        {current.title}
      </Title>
      {current.content}
      <Group justify="flex-end" mt="lg">
        {aside && <Group mr="auto">{aside}</Group>}
        {step > 0 && onBack && (
          <Button
            variant="default"
            disabled={busy}
            leftSection={<IconArrowLeft size={16} aria-hidden />}
            onClick={onBack}
          >
            {t('common:step.back')}
          </Button>
        )}
        <Button variant="default" disabled={busy} onClick={onClose}>
          {t('common:close')}
        </Button>
        {current.confirm}
      </Group>
    </Dialog>
  );
}
