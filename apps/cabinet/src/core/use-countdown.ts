import { useEffect, useState } from 'react';

export function secondsUntil(end: number, now: number): number {
  return Math.max(0, Math.ceil((end - now) / 1000));
}

/** Seconds left until a moment, updated every second; 0 when it has passed. */
export function useCountdown(end: number): number {
  const [left, setLeft] = useState(() => secondsUntil(end, Date.now()));
  useEffect(() => {
    setLeft(secondsUntil(end, Date.now()));
    const timer = setInterval(() => {
      const next = secondsUntil(end, Date.now());
      setLeft(next);
      if (next === 0) clearInterval(timer);
    }, 1000);
    return () => clearInterval(timer);
  }, [end]);
  return left;
}
