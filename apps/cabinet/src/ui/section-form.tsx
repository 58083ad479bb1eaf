import { Button, Group, Paper, Stack, Title } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { SectionMark, type SectionState } from './section-mark.tsx';
import { SectionNav } from './section-nav.tsx';
import classes from './section-form.module.css';

export interface FormSection {
  /** The hash of the section in the URL. */
  id: string;
  title: string;
  /** Paths of the section's fields; a path stands for all that is below it. */
  fields: readonly string[];
  /** All that the section requires is filled in. */
  isDone: boolean;
  /** Empties the section, also of what its fields hold themselves, such as a search. */
  onClear?: () => void;
  content: ReactNode;
}

interface SectionFormProps {
  sections: readonly FormSection[];
  /** The marked fields of the form. */
  errors: Record<string, unknown>;
}

/**
 * The fields of a long form in sections, each marked as complete or as wrong. From a medium width on, a menu beside them leads to
 * a section by its hash.
 */
export function SectionForm({ sections, errors }: SectionFormProps) {
  const { t } = useTranslation();
  const ref = useRef<HTMLDivElement>(null);
  const { hash } = useLocation();
  /** How often each section was emptied: its fields begin anew. */
  const [cleared, setCleared] = useState<Record<string, number>>({});
  useEffect(() => {
    const section = document.getElementById(hash.slice(1));
    const heading = ref.current?.contains(section) && section?.querySelector<HTMLElement>('h2');
    if (!heading) return;
    heading.scrollIntoView({ block: 'start' });
    heading.focus({ preventScroll: true });
  }, [hash]);
  const states = sections.map((section) => stateOf(section, errors));
  return (
    <div className={classes.frame} ref={ref}>
      <SectionNav sections={sections} states={states} />
      <Stack className={classes.sections}>
        {sections.map(({ id, title, onClear, content }, i) => (
          <Paper
            key={id}
            id={id}
            component="section"
            withBorder
            p="md"
            aria-labelledby={`${id}-title`}
            className={classes.section}
          >
            <Group justify="space-between" mb="sm" wrap="nowrap">
              <Group gap="xs" wrap="nowrap" miw={0}>
                <Title order={2} size="h4" id={`${id}-title`} tabIndex={-1}>
                  {title}
                </Title>
                <SectionMark state={states[i]!} />
              </Group>
              {onClear && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  // The title wraps instead.
                  style={{ flexShrink: 0 }}
                  aria-label={t('common:labelled', {
                    label: t('common:section.clear'),
                    value: title,
                  })}
                  onClick={() => {
                    onClear();
                    setCleared((all) => ({ ...all, [id]: (all[id] ?? 0) + 1 }));
                  }}
                >
                  {t('common:clear')}
                </Button>
              )}
            </Group>
            <Stack key={cleared[id]}>{content}</Stack>
          </Paper>
        ))}
      </Stack>
    </div>
  );
}

function stateOf({ fields, isDone }: FormSection, errors: Record<string, unknown>): SectionState {
  const isWrong = Object.keys(errors).some(
    (path) =>
      errors[path] && fields.some((field) => path === field || path.startsWith(`${field}.`)),
  );
  return isWrong ? 'error' : isDone ? 'done' : null;
}
