/** Where a link of a page leads: to a page of the cabinet, or elsewhere. */
export type LinkTarget = { to: string } | { href: string; isExternal: boolean };

/** `/docs/en/api/HTTP-REST.md` */
const PAGE = /^\/docs\/[a-z]{2}\/([\w-]+)\/([\w/-]+)\.md$/;
const ORIGIN = 'https://documentation.invalid';

export const documentationPath = (category: string, file: string, id?: string): string =>
  `/documentation/${category}/${file}${id ? `?id=${encodeURIComponent(id)}` : ''}`;

/**
 * `source` is the path of the file with the link. Links between files lead to their pages in the cabinet; an anchor is the parameter `id`. Null
 * for what a document must not link to, such as `javascript:`.
 */
export function linkTarget(href: string, source: string): LinkTarget | null {
  const base = URL.parse(source, ORIGIN);
  const url = base && URL.parse(href, base);
  if (!url) return null;
  if (url.protocol === 'mailto:' || url.protocol === 'tel:') return { href, isExternal: false };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  if (url.origin !== ORIGIN) return { href: url.href, isExternal: true };
  const [, category, file] = PAGE.exec(url.pathname) ?? [];
  if (category && file)
    return { to: documentationPath(category, file, decodeHash(url.hash) || undefined) };
  const path = url.pathname + url.search + url.hash;
  return url.pathname.startsWith('/api/') ? { href: path, isExternal: true } : { to: path };
}

/** A picture of the documentation itself; the security policy of the page allows no other. */
export function imagePath(source: string, file: string): string | null {
  const url = URL.parse(source, new URL(file, ORIGIN));
  return url?.origin === ORIGIN && url.pathname.startsWith('/docs/images/') ? url.pathname : null;
}

function decodeHash(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return '';
  }
}
