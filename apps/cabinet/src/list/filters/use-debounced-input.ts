import { useEffect, useRef, useState } from 'react';
import { FIND_DEBOUNCE_MS } from '../../core/list-request.ts';

/**
 * A text field's value: `onChange` is called when typing pauses or the field is left, and the field follows changes of `value` from
 * elsewhere.
 */
export function useDebouncedInput(value: string, onChange: (value: string) => void) {
  const [text, setText] = useState(value);
  const reported = useRef(value);
  const report = useRef(onChange);
  useEffect(() => {
    report.current = onChange;
  });
  useEffect(() => {
    if (value === reported.current) return;
    reported.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    const next = text.trim();
    if (next === reported.current) return;
    const timer = setTimeout(() => {
      if (next === reported.current) return;
      reported.current = next;
      report.current(next);
    }, FIND_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  // A sheet that closes before the pause is over unmounts the field; the text is reported all the same.
  const latest = useRef(text);
  useEffect(() => {
    latest.current = text;
  });
  useEffect(() => {
    const { pathname } = location;
    return () => {
      const next = latest.current.trim();
      // After a navigation it would set a filter of the other page.
      if (next !== reported.current && location.pathname === pathname) report.current(next);
    };
  }, []);
  // What is pressed next, such as the button that clears all filters, comes after what was typed.
  const onLeave = () => {
    const next = text.trim();
    if (next === reported.current) return;
    reported.current = next;
    onChange(next);
  };
  return { text, setText, onLeave };
}
