import { Alert, Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { IconAlertTriangle } from '../../ui/icons.ts';

/** The account has no requisite; its own user can add one, and returns to where it is needed. */
export function NoRequisites({ isOwn }: { isOwn: boolean }) {
  const { t } = useTranslation();
  const { pathname, search } = useLocation();
  const to = `/account/requisites/create?to=${encodeURIComponent(pathname + search)}`;
  return (
    <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t('invoices:noRequisites')}</Text>
        {isOwn && (
          <Button component={Link} to={to} variant="default" size="xs">
            {t('invoices:toRequisites')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** No company has the same form of taxation and a template of invoices. */
export function NoCompanies() {
  const { t } = useTranslation();
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
      {t('invoices:noCompanies')}
    </Alert>
  );
}
