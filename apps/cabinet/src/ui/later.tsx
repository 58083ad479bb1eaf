import { lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { fetched } from '../core/lost-chunk.ts';

/**
 * What a page does not show at first: dialogs, drawers. The page is not kept waiting for its code, which is on its way
 * from the first drawing on, so that it is there when somebody opens it.
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
