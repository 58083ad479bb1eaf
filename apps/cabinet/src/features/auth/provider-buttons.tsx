import type { OfferedProvider } from '@heliograph/contract';
import { Alert, Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../core/errors.ts';
import { leaveToSignIn, offeredProviders } from './provider-sign-in.ts';

/** Sign in through the identity providers that are there for all users. `to` is the page to go to afterwards. */
export function ProviderButtons({ to }: { to: string | null }) {
  const { t } = useTranslation();
  const [providers, setProviders] = useState<OfferedProvider[]>([]);
  const [pending, setPending] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    // Without them the password still signs in.
    void offeredProviders().then(setProviders, () => undefined);
  }, []);
  const leave = async (id: string) => {
    setPending(id);
    setFailure(null);
    try {
      await leaveToSignIn(id, to);
    } catch (error) {
      setFailure(errorText(t, error));
    } finally {
      // Browsers show the page as it was left when a person goes back.
      setPending(null);
    }
  };
  return (
    <>
      {providers.map(({ id, title }) => (
        <Button
          key={id}
          variant="default"
          fullWidth
          loading={pending === id}
          disabled={pending !== null && pending !== id}
          onClick={() => void leave(id)}
        >
          {t('auth:provider.button', { title })}
        </Button>
      ))}
      {/* Always present, so that screen readers announce what appears in it. */}
      <div aria-live="assertive">{failure && <Alert color="red">{failure}</Alert>}</div>
    </>
  );
}
