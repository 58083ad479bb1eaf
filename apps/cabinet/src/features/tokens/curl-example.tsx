import { useTranslation } from 'react-i18next';
import { CodePane } from '../../ui/code-pane.tsx';

/** Calls with a token, as they are typed into a terminal: whose it is, and a message. The secret is not part of them. */
export function CurlExample() {
  const { t } = useTranslation();
  const api = `${location.origin}/api`;
  const code = [
    'TOKEN=hg_…',
    '',
    `curl ${api}/users/me -H "Authorization: Bearer $TOKEN"`,
    '',
    `curl ${api}/sendings \\`,
    '  -H "Authorization: Bearer $TOKEN" \\',
    "  -H 'Content-Type: application/json' \\",
    `  --data-raw '{"type": "sms", "recipient": "+79990000000", "payload": {"sender": "…", "text": "…"}}'`,
  ].join('\n');
  return <CodePane label={t('tokens:example')} hint={t('tokens:example')} code={code} />;
}
