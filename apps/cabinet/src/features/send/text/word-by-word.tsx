import { useReducedMotion } from '@mantine/hooks';
import { useEffect, useState } from 'react';

const WORD_MS = 60;

/** Shows a text word by word; at once when the user prefers reduced motion. Give it a `key` for each text. */
export function WordByWord({ text }: { text: string }) {
  const isStill = useReducedMotion(false, { getInitialValueInEffect: false });
  const words = text.match(/\S+\s*/g) ?? [];
  const [shown, setShown] = useState(0);
  const isDone = isStill || shown >= words.length;
  useEffect(() => {
    if (isDone) return;
    const timer = setInterval(() => setShown((n) => n + 1), WORD_MS);
    return () => clearInterval(timer);
  }, [isDone]);
  return isDone ? text : words.slice(0, shown).join('');
}
