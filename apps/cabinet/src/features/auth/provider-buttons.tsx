import type { OfferedProvider } from '@heliograph/contract';
import { Alert, Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../core/errors.ts';
import { leaveToSignIn, offeredProviders } from './provider-sign-in.ts';

interface ProviderButtonsProps {
  /** The page to go to afterwards. */
  to: string | null;
  /** Through which alone the user signs in. */
  required: OfferedProvider | null;
}

/** Sign in through the identity provider that is required, or those that are there for all users. */
export function ProviderButtons({ to, required }: ProviderButtonsProps) {
  const { t } = useTranslation();
  const [offered, setOffered] = useState<OfferedProvider[]>([]);
  const providers = required ? [required] : offered;
  const [pending, setPending] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    // Without them the password still signs in.
    void offeredProviders().then(setOffered, () => undefined);
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
