import { Button, Stack, Text } from '@mantine/core';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { focusOnMount } from '../../core/focus.ts';
import { fetched } from '../../core/lost-chunk.ts';
import { useSession } from '../../core/session/use-session.ts';
import { EmailLinkPage } from './email-link-page.tsx';
import { useEmailLink } from './use-email-link.ts';

const load = (waits: boolean) => fetched(() => import('./confirm.ts'), waits);

/** Confirms an e-mail address after a click: programs that scan e-mails open their links as well. */
export function ConfirmPage() {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const key = params.get('key') ?? '';
  const link = useEmailLink(useCallback(async () => (await load(true)).checkEmailKey(key), [key]));
  const { stage, wait, found } = link;
  const values = { email: found?.email ?? '', username: found?.username ?? '' };
  const confirm = () => link.run(async () => (await load(false)).confirmEmail(key), 'done');
  const { token } = useSession();
  return (
    <EmailLinkPage
      title={t('auth:confirm.title')}
      link={link}
      invalid={t('auth:confirm.invalidText')}
      done={{ title: t('auth:confirm.done'), text: t('auth:confirm.doneText', values) }}
    >
      {stage === 'valid' && (
        <Stack>
          <Text size="sm">{t('auth:confirm.text', values)}</Text>
          <Button
            fullWidth
            ref={focusOnMount}
            loading={link.isPending}
            disabled={wait > 0}
            onClick={() => void confirm()}
          >
            {wait > 0 ? t('common:form.wait', { count: wait }) : t('auth:confirm.submit')}
          </Button>
        </Stack>
      )}
      {(stage === 'done' || stage === 'invalid') && (
        <Button component={Link} to={token ? '/' : '/login'} fullWidth ref={focusOnMount}>
          {t(token ? 'auth:confirm.home' : 'auth:login.submit')}
        </Button>
      )}
    </EmailLinkPage>
  );
}
