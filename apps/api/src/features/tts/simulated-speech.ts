import { VOICES, type Voice } from '@heliograph/domain';
import { SpeechSynthesizer } from './synthesizer.ts';
import { wav } from './wav.ts';

const RATE = 8000;
/** The duration that the estimate assumes for a spoken text. */
const SECONDS_PER_LETTER = 1 / 14;
const LOUDNESS = 9000;
const VOWEL = /[aeiouyаеёиоуыэюяàáâãäèéêëìíîïòóôõöùúûü]/iu;

/**
 * A placeholder for speech in trials and tests: a tone per letter in the rhythm of the words, with the pitch of the voice.
 * It is deterministic and as long as the spoken text would be.
 */
export class SimulatedSpeech extends SpeechSynthesizer {
  override speak(voice: Voice, text: string): Promise<Buffer> {
    return Promise.resolve(wav(tones(text, pitchOf(voice)), RATE));
  }
}

/** Pitch by voice, from 110 Hz. */
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

/** A tone with an overtone, faded in and out to avoid clicks. */
function tone(into: Int16Array, frequency: number, loudness: number): void {
  const turn = (2 * Math.PI * frequency) / RATE;
  for (let i = 0; i < into.length; i++) {
    const swell = Math.sin((Math.PI * i) / into.length);
    into[i] = Math.round(
      loudness * swell * (0.7 * Math.sin(turn * i) + 0.3 * Math.sin(2 * turn * i)),
    );
  }
}
