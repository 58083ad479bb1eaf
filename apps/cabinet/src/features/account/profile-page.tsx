import { Alert, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { meQuery } from '../../core/account.ts';
import { useSettings } from '../../core/settings.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmailSection } from '../identity/email-section.tsx';
import { PhoneSection } from '../identity/phone-section.tsx';
import { ProfileForm } from './profile-form.tsx';

/** The user's own data. */
export function ProfilePage() {
  const { t } = useTranslation();
  const { data: me } = useQuery(meQuery);
  const { impersonator, UserId, OwnerId } = useSettings().session;
  if (!me) return null;
  const isImpersonated = impersonator !== null;
  const waits = me.pendingEmail ?? me.pendingPhone;
  const isUnconfirmed =
    (me.data.email && !me.emailConfirmedAt) || (me.data.phone && !me.phoneConfirmedAt);
  return (
    <>
      <PageHeader title={t('account:profile.title')} />
      <Stack maw={640} gap="lg">
        {isImpersonated && (
          <Alert color="blue" role="note">
            {t('account:impersonated.profile', { username: me.username })}
          </Alert>
        )}
        {UserId !== OwnerId && (
          <Alert color="blue" role="note">
            {t('account:profile.subUser')}
          </Alert>
        )}
        <Paper withBorder p="md">
          <Text size="sm" mb="md">
            {t('account:profile.username')}{' '}
            <Blurred what={t('account:profile.username')}>
              <strong>{me.username}</strong>
            </Blurred>
          </Text>
          <ProfileForm key={me.id} me={me} isImpersonated={isImpersonated} />
        </Paper>
        {!isImpersonated && (waits || isUnconfirmed) && (
          <Paper withBorder p="md" component="section" aria-labelledby="confirmation">
            <Title order={2} size="h4" id="confirmation" mb="sm">
              {t('account:profile.confirmation')}
            </Title>
            <Stack>
              {(me.pendingEmail || !me.emailConfirmedAt) && <EmailSection me={me} />}
              {(me.pendingPhone || !me.phoneConfirmedAt) && <PhoneSection me={me} />}
            </Stack>
          </Paper>
        )}
      </Stack>
    </>
  );
}
