import { useEffect, useState } from 'react';

/**
 * A control's value that changes at once, while the URL changes a moment later: the new value is shown until `value` is
 * the same, and `value` is shown when it changes from elsewhere.
 */
export function useOptimisticValue<T>(value: T, onChange: (value: T) => void) {
  const [shown, setShown] = useState(value);
  const key = JSON.stringify(value);
  useEffect(() => setShown(JSON.parse(key) as T), [key]);
  const change = (next: T) => {
    setShown(next);
    onChange(next);
  };
  return [shown, change] as const;
}
