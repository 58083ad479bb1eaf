import type { Frontend } from '@heliograph/contract';
import { PASSWORD_LIMITS } from '@heliograph/domain';

/** On the development server, where no API has written the meta tag. */
const DEFAULTS: Frontend = {
  title: 'Heliograph',
  brand: 'main',
  colors: { primary: '#1c6dd0', accent: '#ffd43b' },
  documents: { privacy: null, offer: null },
  support: { email: null, phone: null, chat: null },
  recovery: true,
  passkeys: true,
  identityProviders: false,
  registration: true,
  password: PASSWORD_LIMITS,
};

/** Name and branding of this installation, from the page itself: they are needed before there is a session. */
export const frontend: Frontend = read();

function read(): Frontend {
  const content = document.querySelector<HTMLMetaElement>('meta[name=frontend]')?.content;
  return content ? (JSON.parse(content) as Frontend) : DEFAULTS;
}
