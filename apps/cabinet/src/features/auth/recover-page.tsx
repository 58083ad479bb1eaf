import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { focusOnMount } from '../../core/focus.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { frontend } from '../../core/frontend.ts';
import { fetched } from '../../core/lost-chunk.ts';
import { browserStorage } from '../../core/browser-storage.ts';
import classes from './auth.module.css';
import { AuthFrame } from './auth-frame.tsx';
import { AuthSubmit } from './auth-submit.tsx';
import { LAST_USERNAME } from './credentials.ts';

/** Specification, section 9: the pause after an error. */
const PAUSE_MS = 3000;
const load = () => fetched(() => import('./recover.ts'), false);

export function RecoverPage() {
  const { t } = useTranslation();
  /** For how long the link works; null before it was requested. */
  const [minutes, setMinutes] = useState<number | null>(null);
  return (
    <AuthFrame title={t('auth:recover.title')} other="registration">
      <div aria-live="assertive" className={classes.notice}>
        {minutes !== null && (
          <Alert color="green" title={t('auth:recover.sent')}>
            {t('auth:recover.works', { count: minutes })}
          </Alert>
        )}
        {!frontend.recovery && <Alert color="blue">{t('auth:recover.off')}</Alert>}
      </div>
      <Stack>
        {frontend.recovery && minutes === null && <RequestForm onDone={setMinutes} />}
        {minutes !== null && (
          <Button variant="default" fullWidth ref={focusOnMount} onClick={() => setMinutes(null)}>
            {t('auth:recover.again')}
          </Button>
        )}
        <Text size="sm" ta="center">
          <Anchor component={Link} underline="always" to="/login">
            {t('auth:recover.back')}
          </Anchor>
        </Text>
      </Stack>
    </AuthFrame>
  );
}

/** Requests the e-mail with the link. */
function RequestForm({ onDone }: { onDone: (minutes: number) => void }) {
  const { t, i18n } = useTranslation();
  const [isSolving, setSolving] = useState(false);
  const form = useContractForm({
    initial: { login: browserStorage.get(LAST_USERNAME) ?? '' },
    check: ({ login }) => ({ login: !login.trim() && 'required' }),
    pauseMs: PAUSE_MS,
    async submit({ login }) {
      const { requestRecovery } = await load();
      const minutes = requestRecovery(login.trim(), i18n.language, () => setSolving(true));
      return minutes.finally(() => setSolving(false));
    },
    onDone,
  });
  return (
    <ContractForm form={form} guarded={false}>
      <div aria-live="polite">{isSolving && <Alert color="blue">{t('auth:captcha')}</Alert>}</div>
      <TextInput
        {...form.field('login')}
        label={t('auth:recover.login')}
        description={t('auth:recover.hint')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        required
        withAsterisk={false}
        autoFocus
        onInput={() => void load().catch(() => undefined)}
      />
      <AuthSubmit form={form}>{t('auth:recover.submit')}</AuthSubmit>
    </ContractForm>
  );
}
