import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import type { PhoneCount } from './count-phones.ts';

/** How many of the pasted numbers are good; null while there are none. */
export function usePhoneCount(pasted: string): PhoneCount | null {
  const [text] = useDebouncedValue(pasted.trim(), 300);
  const [count, setCount] = useState<PhoneCount | null>(null);
  useEffect(() => {
    let current = true;
    const tell = (next: PhoneCount | null) => current && setCount(next);
    if (!text) tell(null);
    else
      void import('./count-phones.ts').then(async ({ countPhones }) =>
        tell(await countPhones(text)),
      );
    return () => {
      current = false;
    };
  }, [text]);
  return count;
}
