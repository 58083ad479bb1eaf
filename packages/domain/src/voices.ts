/** Voices by synthesizer; the first one is its default. Source: the specification, sections 3 and 9. */
export const VOICES = {
  polly: ['tatyana', 'maxim'],
  speechkit: [
    'alena',
    'filipp',
    'ermil',
    'jane',
    'madirus',
    'omazh',
    'zahar',
    'dasha',
    'julia',
    'lera',
    'masha',
  ],
} as const;
export type Synthesizer = keyof typeof VOICES;

/** A voice for calls. */
export interface Voice {
  /** Value of `payload.tts`: `polly:tatyana`. */
  id: string;
  synthesizer: Synthesizer;
  name: string;
}

const ALL: Voice[] = (Object.entries(VOICES) as [Synthesizer, readonly string[]][]).flatMap(
  ([synthesizer, names]) =>
    names.map((name) => ({ id: `${synthesizer}:${name}`, synthesizer, name })),
);

/**
 * The voices of a product variant, for each synthesizer with its default first. The variant `alternate` has the voices of the
 * first synthesizer only. `voicesOf('alternate')[0].id` is 'polly:tatyana'.
 */
export function voicesOf(brand: string): Voice[] {
  return brand === 'alternate' ? ALL.filter(({ synthesizer }) => synthesizer === 'polly') : ALL;
}

/** The default voice of a product variant, from its last synthesizer. `defaultVoice('main')` is 'speechkit:alena'. */
export function defaultVoice(brand: string): string {
  const voices = voicesOf(brand);
  const last = voices.at(-1)!.synthesizer;
  return voices.find(({ synthesizer }) => synthesizer === last)!.id;
}
