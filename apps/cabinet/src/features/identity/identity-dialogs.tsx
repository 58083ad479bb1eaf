import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../../core/account.ts';
import { useSettings } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { EmailDialog } from './email-dialog.tsx';
import { PhoneDialog } from './phone-dialog.tsx';

/** The dialogs of `?identity=`, over whatever page is open. Who acts as somebody else has none. */
export function IdentityDialogs() {
  const [which, set] = useParam('identity');
  const { data: me } = useQuery(meQuery);
  const { impersonator } = useSettings().session;
  if (!me || impersonator) return null;
  const close = () => set(null, { replace: true });
  return (
    <>
      <EmailDialog me={me} opened={which === 'email'} onClose={close} />
      <PhoneDialog me={me} opened={which === 'phone'} onClose={close} />
    </>
  );
}
