import { useReducedMotion } from '@mantine/hooks';
import { useEffect, useState } from 'react';

const WORD_MS = 60;

/** A text that is written before one's eyes; at once for whoever wants less motion. Give it a `key` for each text. */
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
