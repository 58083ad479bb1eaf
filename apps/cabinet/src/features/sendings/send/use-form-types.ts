import type { SendingType } from '@heliograph/contract';
import { useSettings } from '../../../core/settings.ts';

/** A voice call needs a recording or a synthesised voice, which this form does not offer yet. */
const NOT_HERE: SendingType[] = ['voice'];

export function useFormTypes(): SendingType[] {
  const { sendings } = useSettings();
  return sendings.types.filter((type) => !NOT_HERE.includes(type));
}
