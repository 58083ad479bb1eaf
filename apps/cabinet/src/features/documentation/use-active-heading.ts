import { useEffect, useState } from 'react';

/** Between the sticky header and the middle of the window: the heading there is the one that is read. */
const READING_AREA = '-64px 0px -55% 0px';

/** The heading that is read, following the scrolling. `document` names the page: another one has other headings. */
export function useActiveHeading(document: unknown): string | null {
  const [active, setActive] = useState<string | null>(null);
  useEffect(() => {
    const headings = [...window.document.querySelectorAll<HTMLElement>('[data-heading]')];
    const visible = new Set<Element>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries)
          if (isIntersecting) visible.add(target);
          else visible.delete(target);
        // In a long section no heading is visible: the last one above is the section's.
        const top = headings.find((heading) => visible.has(heading)) ?? lastAbove(headings);
        setActive(top?.dataset.heading ?? null);
      },
      { rootMargin: READING_AREA },
    );
    for (const heading of headings) observer.observe(heading);
    return () => observer.disconnect();
  }, [document]);
  return active;
}

const lastAbove = (headings: HTMLElement[]) =>
  headings.findLast((heading) => heading.getBoundingClientRect().top < 64);
