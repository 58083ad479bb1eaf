import { useEffect, useRef } from 'react';
import { readPersonal } from '../personal/mirror.ts';
import { sequenceOf, strokeOf, type Pending } from './chords.ts';

export type Handlers = Record<string, (event: KeyboardEvent) => void>;

const layers: { current: Handlers }[] = [];
let pending: Pending | null = null;

/** Key bindings of mounted components, `{ r: refresh, 'g h': goHome }`; the component mounted last has priority. */
export function useKeys(handlers: Handlers): void {
  const layer = useRef(handlers);
  useEffect(() => {
    layer.current = handlers;
  });
  useEffect(() => {
    layers.unshift(layer);
    return () => void layers.splice(layers.indexOf(layer), 1);
  }, []);
}

const TYPING =
  'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable], [role=menu], [role=listbox], [role=dialog]';

/** What opens or moves by an arrow with Alt itself. */
const CHOOSING = 'select, [aria-haspopup=listbox], [role=menu], [role=listbox], [role=dialog]';
const IS_ALT_ARROW = /^alt\+arrow(?:up|down)$/;

function isBusy(event: KeyboardEvent, stroke: string): boolean {
  const target = event.target as Element | null;
  const own = IS_ALT_ARROW.test(stroke) ? CHOOSING : TYPING;
  return !!target?.closest?.(own) || !!document.querySelector('[aria-modal=true]');
}

/** An element may name its key itself with `aria-keyshortcuts`: a field takes the focus, anything else is pressed. */
function marked(stroke: string): (() => void) | undefined {
  const found = [...document.querySelectorAll<HTMLElement>('[aria-keyshortcuts]')].find(
    (e) => e.ariaKeyShortcuts?.toLowerCase() === stroke && e.checkVisibility(),
  );
  return found && (() => (found.matches('input') ? found.focus() : found.click()));
}

/** Single keys can be switched off and are ignored while the user types, but for arrows with Alt; keys with Ctrl or Cmd always work. */
function listen(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || /^(Shift|Control|Alt|Meta)$/.test(event.key))
    return;
  const stroke = strokeOf(event);
  const withMod = stroke.startsWith('mod+');
  if (!withMod && (isBusy(event, stroke) || readPersonal('shortcuts') === false)) return;
  const sequence = sequenceOf(pending, stroke, event.timeStamp);
  pending = null;
  const own = layers.map((layer) => layer.current[sequence]).find(Boolean);
  const act = own ?? (sequence === stroke && !withMod ? marked(stroke) : undefined);
  if (act) {
    event.preventDefault();
    act(event);
  } else if (layers.some((l) => Object.keys(l.current).some((k) => k.startsWith(`${stroke} `)))) {
    pending = { stroke, at: event.timeStamp };
  }
}

/** One listener for the whole shell. */
export function useKeyListener(): void {
  useEffect(() => {
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}
