import { lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { fetched } from '../core/lost-chunk.ts';

/**
 * A component that a page does not show at first (a dialog, a drawer). The page does not wait for its code, which is loaded
 * from the first render on. Until then `meanwhile` is drawn, which may depend on the same props.
 */
export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
  meanwhile?: ReactNode | ((props: P) => ReactNode),
): ComponentType<P> {
  const Part = lazy(async () => ({ default: await fetched(load) }));
  return (props: P) => (
    <Suspense fallback={typeof meanwhile === 'function' ? meanwhile(props) : meanwhile}>
      <Part {...props} />
    </Suspense>
  );
}
