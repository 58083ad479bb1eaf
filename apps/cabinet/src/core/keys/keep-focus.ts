/** An element and its ancestors, from inside out. */
type Trail = HTMLElement[];

/** Focused elements, the newest first: one list for each open dialog, and one for the page. */
let trails: Trail[] = [];
/** Since when what had the focus has been gone or disabled. */
let lostAt: number | null = null;
/** Its visitor went away from it, to nothing. */
let hasLeft = false;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Dialogs return the focus by themselves within this time. */
const CHECK_DELAY_MS = 100;
/** An element that is disabled or hidden for no longer than this gets the focus back. */
const RETURN_WITHIN_MS = 1500;

const DIALOG = '[role=dialog]';
const rootOf = (e: Element): Element => e.closest(DIALOG) ?? document.body;

function trailOf(element: HTMLElement): Trail {
  const trail: (Element | null)[] = [];
  const end = rootOf(element).parentElement;
  for (let e: Element | null = element; e && e !== end; e = e.parentElement) {
    trail.push(e);
    // After a row is deleted, the next row gets the focus.
    if (e.matches('[data-row]')) trail.push(e.nextElementSibling, e.previousElementSibling);
  }
  return trail.filter((e) => e instanceof HTMLElement);
}

const isThere = (e: HTMLElement) => e.isConnected && e.checkVisibility();
const isUsable = (e: HTMLElement) => isThere(e) && !e.matches(':disabled');

/** The nearest that can take the focus: what had it, a row, a dialog, the heading of a part or of the page. */
function landing(): HTMLElement | null {
  for (const [last, ...around] of trails) {
    if (isUsable(last!)) return last!;
    for (const e of around.filter(isThere)) {
      const found = e.querySelector<HTMLElement>('[data-landing]');
      if (found || e.matches('[tabindex]')) return found ?? e;
    }
  }
  // A dialog was opened by a key before anything had the focus.
  return document.querySelector<HTMLElement>('[data-page-title]');
}

const isOnNothing = () => document.activeElement === document.body && document.hasFocus();

function isInFocused(target: EventTarget | null): boolean {
  const { activeElement } = document;
  return activeElement !== document.body && !!activeElement?.contains(target as Node | null);
}

function check(): void {
  timer = undefined;
  const last = trails[0]?.[0];
  if (!last || hasLeft || !isOnNothing()) {
    lostAt = null;
    return;
  }
  lostAt ??= Date.now();
  // A button that is disabled during its call and a part that is still loading are enabled again soon.
  const mayReturn = last.isConnected && !isUsable(last);
  if (mayReturn && Date.now() - lostAt < RETURN_WITHIN_MS) {
    timer = setTimeout(check, CHECK_DELAY_MS);
    return;
  }
  lostAt = null;
  const next = landing();
  next?.focus({ preventScroll: true });
  // The page heading may be far away: do not scroll to it.
  if (!next?.matches('[data-page-title]')) next?.scrollIntoView({ block: 'nearest' });
}

function remember(element: Element): void {
  const root = rootOf(element);
  trails = [trailOf(element as HTMLElement), ...trails.filter((t) => t.at(-1) !== root)].slice(
    0,
    4,
  );
  hasLeft = false;
}

/**
 * When the focused element is removed, hidden or disabled, the browser drops the focus, and a keyboard user loses the
 * place. This moves the focus to the nearest remaining element. Returns what ends it.
 */
export function keepFocus(): () => void {
  // This code comes after the page, which may have given the focus already.
  const { activeElement } = document;
  if (activeElement && activeElement !== document.body) remember(activeElement);
  const listening = new AbortController();
  const { signal } = listening;
  addEventListener('focusin', ({ target }) => remember(target as Element), { signal });
  // A click beside everything is meant, and so is the tabulator at the end of the page. One on what has the focus is not beside it.
  addEventListener('pointerdown', ({ target }) => (hasLeft = !isInFocused(target)), {
    capture: true,
    signal,
  });
  addEventListener('keydown', ({ key }) => (hasLeft = key === 'Tab'), { capture: true, signal });
  const observer = new MutationObserver(() => {
    const last = trails[0]?.[0];
    // The browser takes the focus off a disabled button a moment later.
    if (last && (isOnNothing() || !last.isConnected || last.matches(':disabled')))
      timer ??= setTimeout(check, CHECK_DELAY_MS);
  });
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['disabled', 'style'],
  });
  return () => {
    listening.abort();
    observer.disconnect();
    clearTimeout(timer);
    timer = undefined;
    trails = [];
  };
}
