/** Pages for everybody: with a session they are in the shell, without one they need none. */
export const isOpenPage = (pathname: string): boolean => /^\/documentation(?:\/|$)/.test(pathname);
