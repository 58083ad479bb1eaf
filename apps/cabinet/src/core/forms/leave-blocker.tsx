import { useEffect, useRef, useSyncExternalStore, type ReactNode, type RefObject } from 'react';
import { useBlocker, type Blocker, type BlockerFunction } from 'react-router';

/** Whether to ask before a navigation. */
type Guard = RefObject<BlockerFunction>;

interface Asked {
  guard: Guard | null;
  blocker: Blocker;
}

const UNBLOCKED: Blocker = {
  state: 'unblocked',
  reset: undefined,
  proceed: undefined,
  location: undefined,
};

/** In the order of their mounting: a dialog's comes after that of its page. */
let guards: Guard[] = [];
let asked: Asked = { guard: null, blocker: UNBLOCKED };
const listeners = new Set<() => void>();

function change(next: { guards?: Guard[]; asked?: Asked }): void {
  guards = next.guards ?? guards;
  asked = next.asked ?? asked;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

interface LeaveBlockerProps {
  asks: BlockerFunction;
  children: (blocker: Blocker) => ReactNode;
}

/** Several of them may be there: the router supports one blocker, which asks the innermost of those that want to ask. */
export function LeaveBlocker({ asks, children }: LeaveBlockerProps) {
  const guard: Guard = useRef(asks);
  useEffect(() => {
    guard.current = asks;
  });
  useEffect(() => {
    change({ guards: [...guards, guard] });
    return () => change({ guards: guards.filter((other) => other !== guard) });
  }, [guard]);
  const isFirst = useSyncExternalStore(subscribe, () => guards[0] === guard);
  const blocker = useSyncExternalStore(subscribe, () =>
    asked.guard === guard ? asked.blocker : UNBLOCKED,
  );
  return (
    <>
      {isFirst && <RouterBlocker />}
      {children(blocker)}
    </>
  );
}

let asking: Guard | null = null;

const isAsking: BlockerFunction = (navigation) => {
  // Each of them has its last moment to keep its changes.
  asking = guards.filter((guard) => guard.current(navigation)).at(-1) ?? null;
  return asking !== null;
};

function RouterBlocker() {
  const blocker = useBlocker(isAsking);
  useEffect(() => change({ asked: { guard: asking, blocker } }), [blocker]);
  return null;
}
