import { Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { useSession } from '../../core/session/use-session.ts';
import { useCountdown } from '../../core/use-countdown.ts';
import { LetterKeyPage } from './letter-key-page.tsx';
import { focusOnMount } from '../../core/focus.ts';
import { useConfirmation } from './use-confirmation.ts';

/** It asks before it confirms: programs that look into letters open links as well. */
export function ConfirmPage() {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const page = useConfirmation(params.get('key') ?? '');
  const { stage, busy, email, username } = page;
  const wait = useCountdown(page.blockedUntil);
  const { token } = useSession();
  return (
    <LetterKeyPage
      title={t('auth:confirm.title')}
      page={page}
      invalid={t('auth:confirm.invalidText')}
      done={{
        title: t('auth:confirm.done'),
        text: t('auth:confirm.doneText', { email, username }),
      }}
    >
      {stage === 'valid' && (
        <Stack>
          <Text size="sm">{t('auth:confirm.text', { email, username })}</Text>
          <Button
            fullWidth
            ref={focusOnMount}
            loading={busy}
            disabled={wait > 0}
            onClick={() => void page.confirm()}
          >
            {wait > 0 ? t('auth:login.wait', { count: wait }) : t('auth:confirm.submit')}
          </Button>
        </Stack>
      )}
      {(stage === 'done' || stage === 'invalid') && (
        <Button component={Link} to={token ? '/' : '/login'} fullWidth ref={focusOnMount}>
          {t(token ? 'auth:confirm.home' : 'auth:login.submit')}
        </Button>
      )}
    </LetterKeyPage>
  );
}
