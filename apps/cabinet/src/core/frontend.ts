import type { Frontend } from '@heliograph/contract';
import { PASSWORD_LIMITS } from '@heliograph/domain';

/** Where no API has written into the page: the development server. */
const PLAIN: Frontend = {
  title: 'Cabinet',
  brand: 'main',
  colors: { primary: '#1c6dd0', accent: '#ffd43b' },
  documents: { privacy: null, offer: null },
  recovery: true,
  registration: true,
  password: PASSWORD_LIMITS,
};

/** The name and the looks of this installation, as the page itself tells them to whoever has no session yet. */
export const frontend: Frontend = read();

function read(): Frontend {
  const told = document.querySelector<HTMLMetaElement>('meta[name=frontend]')?.content;
  return told ? (JSON.parse(told) as Frontend) : PLAIN;
}
