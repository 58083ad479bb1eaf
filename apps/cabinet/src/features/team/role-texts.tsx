import { ROLES } from '@heliograph/contract';
import { Paper, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** What the roles may do. */
export function RoleTexts() {
  const { t } = useTranslation();
  return (
    <Paper component="section" withBorder p="md" aria-labelledby="roles">
      <Title order={2} size="h4" id="roles" mb="xs">
        {t('team:rolesTitle')}
      </Title>
      <dl style={{ margin: 0 }}>
        {ROLES.map((role) => (
          <div key={role} style={{ marginBottom: 8 }}>
            <Text component="dt" size="sm" fw={600}>
              {t(`team:roles.${role}`)}
            </Text>
            <Text component="dd" size="sm" m={0}>
              {t(`team:roleTexts.${role}`)}
            </Text>
          </div>
        ))}
      </dl>
    </Paper>
  );
}
