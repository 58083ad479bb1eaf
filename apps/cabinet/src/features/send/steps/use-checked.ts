import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { fetched } from '../../../core/lost-chunk.ts';
import { useSettings } from '../../../core/settings.ts';
import type { Checked } from '../form/check-recipients.ts';

/** The parsed recipients; null while there are none. Numbering plans are loaded with the first line. */
export function useChecked(
  pasted: string,
  kind: 'phone' | 'email',
  others: string,
): Checked | null {
  const { country } = useSettings().sendings;
  const [text] = useDebouncedValue(pasted.trim(), 300);
  const [checked, setChecked] = useState<Checked | null>(null);
  useEffect(() => {
    if (!text) return setChecked(null);
    let current = true;
    void fetched(() => import('../form/check-recipients.ts')).then(({ checkRecipients }) => {
      if (current) setChecked(checkRecipients(text, kind, others, country));
    });
    return () => {
      current = false;
    };
  }, [text, kind, others, country]);
  return text ? checked : null;
}
