import { Box } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '../../ui/page-header.tsx';
import { SecondFactorSection } from './second-factor-section.tsx';

/** How the user signs in. */
export function SecurityPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t('security:page')} />
      <Box maw={560}>
        <SecondFactorSection />
      </Box>
    </>
  );
}
