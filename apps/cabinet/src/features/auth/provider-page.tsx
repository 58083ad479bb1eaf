import { ApiError } from '@heliograph/contract';
import { Alert, Button, Loader, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { errorText } from '../../core/errors.ts';
import { focusOnMount } from '../../core/focus.ts';
import { localPath } from '../../core/local-path.ts';
import { fetched } from '../../core/lost-chunk.ts';
import { providerVisit } from '../../core/provider-visit.ts';
import { session } from '../../core/session/session.ts';
import { AuthFrame } from './auth-frame.tsx';
import { CodeStep } from './code-step.tsx';

const load = () => fetched(() => import('./provider-sign-in.ts'), false);
const ACCOUNT = '/account/password';

/** `/login/oidc/:id`: to which an identity provider returns, and the address by which a sign-in with it begins. */
export function ProviderPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const { search } = useLocation();
  const navigate = useNavigate();
  const [visit] = useState(providerVisit);
  const isLinking = visit.isLinking && session.token() !== null;
  const answer = new URLSearchParams(search).has('state') ? search.slice(1) : null;
  const [stage, setStage] = useState<'idle' | 'pending' | 'code'>(answer ? 'pending' : 'idle');
  const [failure, setFailure] = useState<unknown>(null);
  const goOn = () =>
    Promise.resolve(navigate(isLinking ? ACCOUNT : localPath(visit.to), { replace: true }));
  const attempt = async (run: () => Promise<void>) => {
    setStage('pending');
    setFailure(null);
    try {
      await run();
    } catch (error) {
      const needsCode = error instanceof ApiError && error.code === 'second_factor_required';
      setStage(needsCode ? 'code' : 'idle');
      if (!needsCode) setFailure(error);
    }
  };
  const leave = async () => {
    const { leaveToSignIn } = await load();
    await leaveToSignIn(id, visit.to);
    // Browsers show the page as it was left when a person goes back.
    setStage('idle');
  };
  const finish = async () => {
    const { linkIdentity, signInByProvider } = await load();
    await (isLinking ? linkIdentity : signInByProvider)(id, answer!);
    await goOn();
  };
  const latestFinish = useRef(finish);
  const isBegun = useRef(false);
  useEffect(() => {
    // An answer is taken once.
    if (!answer || isBegun.current) return;
    isBegun.current = true;
    void attempt(latestFinish.current);
  }, [answer]);

  if (stage === 'code')
    return (
      <AuthFrame title={t('auth:code.title')}>
        <CodeStep
          signIn={async (code) => {
            const { confirmSignIn } = await load();
            await confirmSignIn(id, code);
            await goOn();
          }}
          onSignedIn={goOn}
          onBack={() => void navigate('/login', { replace: true })}
        />
      </AuthFrame>
    );
  return (
    <AuthFrame title={t(isLinking ? 'auth:provider.linking' : 'auth:login.title')}>
      <Stack>
        {/* Always present, so that screen readers announce what appears in it. */}
        <div aria-live="assertive">
          {failure !== null && <Alert color="red">{errorText(t, failure)}</Alert>}
        </div>
        {stage === 'pending' && (
          <Stack align="center" role="status">
            <Loader />
            <Text size="sm">{t('auth:provider.pending')}</Text>
          </Stack>
        )}
        {stage === 'idle' && !isLinking && (
          <>
            {failure === null && <Text size="sm">{t('auth:provider.text')}</Text>}
            <Button fullWidth ref={focusOnMount} onClick={() => void attempt(leave)}>
              {t(failure === null ? 'auth:provider.next' : 'auth:provider.again')}
            </Button>
          </>
        )}
        {stage === 'idle' && (
          <Button component={Link} to={isLinking ? ACCOUNT : '/login'} variant="default" fullWidth>
            {t(isLinking ? 'auth:provider.account' : 'auth:code.back')}
          </Button>
        )}
      </Stack>
    </AuthFrame>
  );
}
