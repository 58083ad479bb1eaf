import { Container } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useRevalidator, useRouteError } from 'react-router';
import { ErrorCard } from '../ui/error-card.tsx';

/** A page that could not be loaded or broke while it was drawn. */
export function ErrorPage() {
  const { t } = useTranslation();
  const error = useRouteError();
  const { revalidate } = useRevalidator();
  return (
    <Container size="sm" py="xl">
      <h1 className="visually-hidden">{t('pageFailed')}</h1>
      <ErrorCard title={t('pageFailed')} error={error} onRetry={() => void revalidate()} />
    </Container>
  );
}
