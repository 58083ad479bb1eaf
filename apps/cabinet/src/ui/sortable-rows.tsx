import {
  useEffect,
  useId,
  useRef,
  useState,
  type Key,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from 'react';
import { useTranslation } from 'react-i18next';
import { IconGripVertical } from './icons.ts';
import classes from './sortable-rows.module.css';

interface SortableRowsProps<T> {
  rows: readonly T[];
  keyOf: (row: T) => Key;
  /** What screen readers call the row. */
  nameOf: (row: T, index: number) => string;
  onChange: (rows: T[]) => void;
  /** Draws a row; `handle` is the button that moves it. */
  children: (row: T, index: number, handle: ReactNode) => ReactNode;
}

/** Rows in an order that the user changes: by dragging their handles, also on a touch screen, or with the arrow keys. */
export function SortableRows<T>({ rows, keyOf, nameOf, onChange, children }: SortableRowsProps<T>) {
  const { t } = useTranslation();
  const hintId = useId();
  const list = useRef<HTMLUListElement>(null);
  const latest = useRef(rows);
  latest.current = rows;
  const drag = useRef<AbortController>(null);
  // Rows that are gone are not dragged.
  useEffect(() => () => drag.current?.abort(), []);
  const [dragged, setDragged] = useState<Key | null>(null);
  const [announced, setAnnounced] = useState('');
  const move = (row: T, to: number) => {
    const from = latest.current.indexOf(row);
    // Another change may have removed the row while it was dragged.
    if (from < 0 || to < 0 || to >= latest.current.length || to === from) return;
    const next = latest.current.filter((other) => other !== row);
    next.splice(to, 0, row);
    latest.current = next;
    onChange(next);
    const position = { number: to + 1, count: next.length };
    setAnnounced(t('common:sortable.moved', { name: nameOf(row, from), ...position }));
  };
  const onKeyDown = (event: KeyboardEvent, row: T, at: number) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    move(row, at + by);
  };

  /** Where the pointer is: before the first row whose middle is below it. */
  const targetOf = (row: T, y: number): number => {
    const boxes = [...list.current!.children].map((child) => child.getBoundingClientRect());
    const isAbove = (i: number) => boxes[i]!.top + boxes[i]!.height / 2 < y;
    let to = latest.current.indexOf(row);
    while (to > 0 && !isAbove(to - 1)) to--;
    while (to < boxes.length - 1 && isAbove(to + 1)) to++;
    return to;
  };
  const startDrag = (event: PointerEvent, row: T) => {
    if (event.button !== 0) return;
    // A second finger takes over.
    drag.current?.abort();
    const { pointerId } = event;
    const before = latest.current;
    // On the window: a captured pointer would be lost when its element is moved in the document.
    const listening = new AbortController();
    drag.current = listening;
    const stop = () => {
      listening.abort();
      setDragged(null);
    };
    const ofPointer = (act: (moved: globalThis.PointerEvent) => void) => {
      return (moved: globalThis.PointerEvent) => moved.pointerId === pointerId && act(moved);
    };
    const options = { signal: listening.signal, capture: true };
    setDragged(keyOf(row));
    const follow = ofPointer(({ clientY }) => move(row, targetOf(row, clientY)));
    addEventListener('pointermove', follow, options);
    addEventListener('pointerup', ofPointer(stop), options);
    addEventListener('pointercancel', ofPointer(stop), options);
    addEventListener(
      'keydown',
      (pressed) => {
        if (pressed.key !== 'Escape') return;
        // Not for the dialog around the rows.
        pressed.stopPropagation();
        onChange([...before]);
        stop();
      },
      options,
    );
  };

  return (
    <>
      <span id={hintId} hidden>
        {t('common:sortable.hint')}
      </span>
      <ul ref={list} className={classes.list}>
        {rows.map((row, at) => (
          <li key={keyOf(row)} data-dragged={dragged === keyOf(row) || undefined}>
            {children(
              row,
              at,
              <button
                type="button"
                className={classes.handle}
                aria-label={t('common:sortable.handle', { name: nameOf(row, at) })}
                aria-describedby={hintId}
                onKeyDown={(event) => onKeyDown(event, row, at)}
                onPointerDown={(event) => startDrag(event, row)}
              >
                <IconGripVertical size={18} aria-hidden />
              </button>,
            )}
          </li>
        ))}
      </ul>
      <span role="status" className="visually-hidden">
        {announced}
      </span>
    </>
  );
}
