import { Alert, Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../core/errors.ts';
import { frontend } from '../../core/frontend.ts';
import { fetched } from '../../core/lost-chunk.ts';

/** Where the installation and the browser have passkeys. */
const isOffered = frontend.passkeys && 'PublicKeyCredential' in window;

interface PasskeyButtonProps {
  onSignedIn: () => Promise<void>;
  /** The API has refused the sign-in. */
  onRefused?: (error: unknown) => void;
}

/** Signs in by a passkey, without a username, a password and a code. */
export function PasskeyButton({ onSignedIn, onRefused }: PasskeyButtonProps) {
  const { t } = useTranslation();
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  if (!isOffered) return null;
  const signIn = async () => {
    setPending(true);
    setFailure(null);
    try {
      const { signInByPasskey } = await fetched(() => import('./passkey-sign-in.ts'), false);
      const reason = await signInByPasskey();
      if (reason) setFailure(t(`auth:passkey.${reason === 'cancelled' ? 'cancelled' : 'failed'}`));
      else await onSignedIn();
    } catch (error) {
      setFailure(errorText(t, error));
      onRefused?.(error);
    } finally {
      setPending(false);
    }
  };
  return (
    <>
      <Button variant="default" fullWidth loading={isPending} onClick={() => void signIn()}>
        {t('auth:passkey.button')}
      </Button>
      {/* Always present, so that screen readers announce what appears in it. */}
      <div aria-live="assertive">{failure && <Alert color="red">{failure}</Alert>}</div>
    </>
  );
}
