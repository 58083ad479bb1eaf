/** Scrolls a box until a part of it is seen; the page stays, which `scrollIntoView` would move as well. */
export function showIn(box: HTMLElement, part: HTMLElement): void {
  const [outer, inner] = [box.getBoundingClientRect(), part.getBoundingClientRect()];
  box.scrollLeft += Math.min(0, inner.left - outer.left) + Math.max(0, inner.right - outer.right);
  box.scrollTop += Math.min(0, inner.top - outer.top) + Math.max(0, inner.bottom - outer.bottom);
}
