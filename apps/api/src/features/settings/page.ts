import type { Frontend } from '@heliograph/contract';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign]!);

/** The cabinet's page with the name and the looks of the installation: nobody has to sign in or wait for an answer to see them. */
export function branded(html: string, frontend: Frontend): string {
  const icon = frontend.brand === 'main' ? '/favicon.svg' : `/favicon-${frontend.brand}.svg`;
  const told = `<meta name="frontend" content="${escaped(JSON.stringify(frontend))}" />`;
  return html
    .replace('/favicon.svg', icon)
    .replace(/<title>.*?<\/title>/s, () => `<title>${escaped(frontend.title)}</title>${told}`);
}
