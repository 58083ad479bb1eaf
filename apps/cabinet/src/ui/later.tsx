import { lazy, Suspense, type ComponentType } from 'react';

/**
 * What a page does not show at first: dialogs, drawers. The page is not kept waiting for its code, which is on its way
 * from the first drawing on, so that it is there when somebody opens it.
 */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Part = lazy(async () => ({ default: await load() }));
  return (props: P) => (
    <Suspense>
      <Part {...props} />
    </Suspense>
  );
}
