import type { Frontend } from '@heliograph/contract';
import escapeHtml from 'escape-html';

/** The cabinet's page with the name and the looks of the installation: nobody has to sign in or wait for an answer to see them. */
export function renderCabinetPage(html: string, frontend: Frontend): string {
  const icon = frontend.brand === 'main' ? '/favicon.svg' : `/favicon-${frontend.brand}.svg`;
  const told = `<meta name="frontend" content="${escapeHtml(JSON.stringify(frontend))}" />`;
  return html
    .replace('/favicon.svg', icon)
    .replace(/<title>.*?<\/title>/s, () => `<title>${escapeHtml(frontend.title)}</title>${told}`);
}
