import type { TemplateRow } from '@heliograph/contract';
import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Explains why the template of the URL cannot be used. */
export function UnusableNote({ template }: { template: TemplateRow }) {
  const { t } = useTranslation();
  const { title, moderation, comment } = template;
  return (
    <Alert color="yellow" mb="md" p="sm" role="alert">
      {moderation === 'rejected'
        ? [t('send:templateRejected', { title }), comment].filter(Boolean).join(' ')
        : t('send:templateSetAside', { title })}
    </Alert>
  );
}
