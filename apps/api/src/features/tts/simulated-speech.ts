import { VOICES, type Voice } from '@heliograph/domain';
import { SpeechSynthesizer } from './synthesizer.ts';
import { wav } from './wav.ts';

const RATE = 8000;
/** As long as the estimate takes a text to be when it is spoken in the call. */
const SECONDS_PER_LETTER = 1 / 14;
const LOUDNESS = 9000;
const VOWEL = /[aeiouyаеёиоуыэюяàáâãäèéêëìíîïòóôõöùúûü]/iu;

/**
 * No speech, and it does not claim to be: a tone for each letter, in the rhythm of the words, higher or lower by voice. It
 * plays everywhere, takes as long as the text would, and is the same for the same text. For trials and tests.
 */
export class SimulatedSpeech extends SpeechSynthesizer {
  override speak(voice: Voice, text: string): Promise<Buffer> {
    return Promise.resolve(wav(tones(text, pitchOf(voice)), RATE));
  }
}

/** From 110 Hz up, each voice its own. */
function pitchOf({ synthesizer, name }: Voice): number {
  const names = Object.values(VOICES).flat() as string[];
  const place = names.indexOf(name) + (synthesizer === 'polly' ? 0 : 1);
  return 110 + place * 9;
}

function tones(text: string, pitch: number): Int16Array {
  const letters = [...text];
  const perLetter = Math.round(RATE * SECONDS_PER_LETTER);
  const samples = new Int16Array(letters.length * perLetter);
  letters.forEach((letter, i) => {
    if (!/[\p{L}\p{N}]/u.test(letter)) return;
    const step = letter.toLowerCase().codePointAt(0)! % 12;
    const loudness = VOWEL.test(letter) ? LOUDNESS : LOUDNESS / 3;
    tone(samples.subarray(i * perLetter, (i + 1) * perLetter), pitch * 2 ** (step / 12), loudness);
  });
  return samples;
}

/** Swells and fades, so that nothing clicks; an overtone makes it less of a whistle. */
function tone(into: Int16Array, frequency: number, loudness: number): void {
  const turn = (2 * Math.PI * frequency) / RATE;
  for (let i = 0; i < into.length; i++) {
    const swell = Math.sin((Math.PI * i) / into.length);
    into[i] = Math.round(
      loudness * swell * (0.7 * Math.sin(turn * i) + 0.3 * Math.sin(2 * turn * i)),
    );
  }
}
