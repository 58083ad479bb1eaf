import { Box } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useRevalidator, useRouteError } from 'react-router';
import { isAway } from '../core/errors.ts';
import { ErrorCard } from '../ui/error-card.tsx';

const RETRY_MS = 5000;

/** A page that could not be loaded or failed while rendering. Without an answer of the server it is retried automatically. */
export function ErrorPage() {
  const { t } = useTranslation();
  const error = useRouteError();
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isAway(error)) return;
    const timer = setInterval(() => void revalidate(), RETRY_MS);
    return () => clearInterval(timer);
  }, [error, revalidate]);
  return (
    <Box maw={720} mx="auto" px="md" py="xl">
      <h1 className="visually-hidden">{t('pageFailed')}</h1>
      <ErrorCard title={t('pageFailed')} error={error} onRetry={() => void revalidate()} />
    </Box>
  );
}
