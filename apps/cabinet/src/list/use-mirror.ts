import { useEffect, useState } from 'react';

/**
 * A control answers at once, the URL a moment later: shows what was chosen until the state of the page says the same,
 * and follows when the state is changed from elsewhere.
 */
export function useMirror<T>(value: T, onChange: (value: T) => void) {
  const [shown, setShown] = useState(value);
  const key = JSON.stringify(value);
  useEffect(() => setShown(JSON.parse(key) as T), [key]);
  const choose = (next: T) => {
    setShown(next);
    onChange(next);
  };
  return [shown, choose] as const;
}
