import { useEffect, useRef, type RefObject } from 'react';
import { useLocation } from 'react-router';

/** Of a box of links: it scrolls to the link of the current page. The page stays, which `scrollIntoView` would move as well. */
export function useCurrentInView(): RefObject<HTMLElement | null> {
  const ref = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    const box = ref.current;
    const link = box?.querySelector('[aria-current=page]');
    if (!box || !link) return;
    const [outer, inner] = [box.getBoundingClientRect(), link.getBoundingClientRect()];
    box.scrollLeft += Math.min(0, inner.left - outer.left) + Math.max(0, inner.right - outer.right);
    box.scrollTop += Math.min(0, inner.top - outer.top) + Math.max(0, inner.bottom - outer.bottom);
  }, [pathname]);
  return ref;
}
