/** Voices by synthesizer; the first of each is its default. Source: the specification, sections 3 and 9: two and eleven. */
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

/** A voice as a message names it. */
export interface Voice {
  /** `polly:tatyana`. */
  id: string;
  synthesizer: Synthesizer;
  name: string;
}

const ALL: Voice[] = (Object.entries(VOICES) as [Synthesizer, readonly string[]][]).flatMap(
  ([synthesizer, names]) =>
    names.map((name) => ({ id: `${synthesizer}:${name}`, synthesizer, name })),
);

/**
 * The voices of a product variant, the default one first among those of its synthesizer. The alternate variant has those of
 * the first synthesizer alone. `voicesOf('alternate')[0].id` is 'polly:tatyana'.
 */
export function voicesOf(brand: string): Voice[] {
  return brand === 'alternate' ? ALL.filter(({ synthesizer }) => synthesizer === 'polly') : ALL;
}

/** The default voice of the second synthesizer, where there is one. `defaultVoice('main')` is 'speechkit:alena'. */
export function defaultVoice(brand: string): string {
  const voices = voicesOf(brand);
  const last = voices.at(-1)!.synthesizer;
  return voices.find(({ synthesizer }) => synthesizer === last)!.id;
}
