import { countSegments, gsmReplacement } from '@heliograph/domain';

export interface GsmText {
  text: string;
  /** Characters without a GSM replacement. */
  left: string[];
  segments: number;
}

/** A text with every character that forces Unicode replaced by its like. */
export function toGsm(text: string): GsmText {
  const { offenders } = countSegments(text);
  let replaced = text;
  for (const char of offenders) {
    const like = gsmReplacement(char);
    if (like !== null) replaced = replaced.replaceAll(char, like);
  }
  const { segments, offenders: left } = countSegments(replaced);
  return { text: replaced, left, segments };
}

/** How near a part's end is still worth a word. */
const MAX_CHARACTERS_OVER = 15;

/** So many characters fewer make one part fewer; null when it is not near. */
export function overBy(text: string): number | null {
  const { characters, segments, encoding } = countSegments(text);
  if (segments < 2) return null;
  const [one, many] = encoding === 'ascii' ? [160, 153] : [70, 67];
  const over = characters - (segments === 2 ? one : many * (segments - 1));
  return over > 0 && over <= MAX_CHARACTERS_OVER ? over : null;
}
