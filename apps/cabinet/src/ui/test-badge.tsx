import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Of what a test token sent, or of the token itself. */
export function TestBadge() {
  const { t } = useTranslation();
  return (
    <Badge variant="outline" color="gray" size="sm" radius="sm" tt="none" fw={500}>
      {t('common:test')}
    </Badge>
  );
}
