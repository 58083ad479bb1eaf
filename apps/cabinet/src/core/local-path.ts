/** A base for resolving paths; the domain `.invalid` is reserved and never resolves. */
const BASE = 'https://cabinet.invalid';
/** Paths of this origin that are no pages: short links lead anywhere. */
const NO_PAGE = /^\/(api|s|socket\.io)(\/|$)/i;

/**
 * A page of this site that an address names, or `/`. An address bar's word is not taken as it is: browsers drop tabs and
 * line breaks and read a backslash as a slash, so that `/<tab>/elsewhere.example` leads elsewhere.
 */
export function localPath(to: string | null): string {
  if (!to?.startsWith('/') || !URL.canParse(to, BASE)) return '/';
  const { origin, pathname, search, hash } = new URL(to, BASE);
  const isPage = origin === BASE && !pathname.startsWith('//') && !NO_PAGE.test(pathname);
  return isPage ? pathname + search + hash : '/';
}
