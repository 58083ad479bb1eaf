import type { Frontend } from '@heliograph/contract';
import escapeHtml from 'escape-html';

/** Adds the title and the frontend settings of the installation to the cabinet's page, so that it needs no request for them. */
export function renderCabinetPage(html: string, frontend: Frontend): string {
  const mark = frontend.brand === 'main' ? '/favicon.svg' : `/favicon-${frontend.brand}.svg`;
  const icon = `<link rel="icon" href="${frontend.logo?.light ?? mark}" />`;
  const meta = `<meta name="frontend" content="${escapeHtml(JSON.stringify(frontend))}" />`;
  return html
    .replace(/<link rel="icon"[^>]*>/, icon)
    .replace(/<title>.*?<\/title>/s, () => `<title>${escapeHtml(frontend.title)}</title>${meta}`);
}
