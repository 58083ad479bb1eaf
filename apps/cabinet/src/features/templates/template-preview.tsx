import type { TemplateRow } from '@heliograph/contract';
import { Box, Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './template-preview.module.css';
import { buttonsOf, previewOf, type TemplateValues } from './template-values.ts';

/** The message as it arrives, with the names of variables in place of values. */
export function TemplatePreview({
  values,
  payload,
}: {
  values: TemplateValues;
  payload?: TemplateRow['payload'];
}) {
  const { t } = useTranslation();
  const buttons = payload ? buttonsOf({ payload }) : [];
  return (
    <section aria-label={t('templates:preview')}>
      <Text size="sm" fw={500} mb={4} aria-hidden>
        {t('templates:preview')}
      </Text>
      <Box className={classes.phone}>
        <Text size="xs" c="dimmed" mb={4}>
          {values.sender || t('templates:noSender')}
        </Text>
        <div className={classes.bubble}>
          {values.subject && values.type === 'email' && (
            <Text size="sm" fw={600}>
              {values.subject}
            </Text>
          )}
          {previewOf(values.text) || <Text c="dimmed">{t('templates:noText')}</Text>}
          {buttons.map((text) => (
            <Button key={text} component="span" size="xs" mt="xs" fullWidth>
              {text}
            </Button>
          ))}
        </div>
      </Box>
    </section>
  );
}
