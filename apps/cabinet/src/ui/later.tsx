import { lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { fetched } from '../core/lost-chunk.ts';

/**
 * A component that a page does not show at first (a dialog, a drawer). The page does not wait for its code, which is loaded
 * from the first render on.
 */
export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
  meanwhile?: ReactNode,
): ComponentType<P> {
  const Part = lazy(async () => ({ default: await fetched(load) }));
  return (props: P) => (
    <Suspense fallback={meanwhile}>
      <Part {...props} />
    </Suspense>
  );
}
