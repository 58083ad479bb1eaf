import { execFile } from 'node:child_process';
import { MAX_FILE_SIZE } from '@heliograph/contract';
import { VOICES, type Voice } from '@heliograph/domain';
import { unavailable } from '../../core/http/service-client.ts';
import { SpeechSynthesizer } from './synthesizer.ts';
import { wav } from './wav.ts';

const TIMEOUT_MS = 20_000;
const HEADER = 44;

/** Pitch and variant of espeak-ng for each voice. */
const VARIANTS: Record<(typeof VOICES)[keyof typeof VOICES][number], string> = {
  tatyana: 'f2',
  maxim: 'm3',
  alena: 'f1',
  filipp: 'm1',
  ermil: 'm2',
  jane: 'f3',
  madirus: 'm4',
  omazh: 'f4',
  zahar: 'm5',
  dasha: 'f5',
  julia: 'linda',
  lera: 'steph',
  masha: 'belinda',
};

/**
 * Speech by the program `espeak-ng`, one process per text, without a network. It is licensed under the GPL and not part of
 * this product, so operators install it themselves.
 */
export class EspeakSynthesizer extends SpeechSynthesizer {
  override async speak({ name }: Voice, text: string): Promise<Buffer> {
    const language = /\p{Script=Cyrillic}/u.test(text) ? 'ru' : 'en-us';
    const voice = `${language}+${VARIANTS[name as keyof typeof VARIANTS]}`;
    const sound = await runEspeak(
      ['-v', voice, '-s', '150', '-b', '1', '--stdin', '--stdout'],
      text,
    );
    if (sound.length <= HEADER) throw unavailable('espeak-ng returned no audio');
    // Its header has no length, since it writes a stream, so the header is replaced.
    const bytes = sound.subarray(HEADER, sound.length - (sound.length % 2));
    const samples = new Int16Array(new Uint8Array(bytes).buffer);
    return wav(samples, sound.readUInt32LE(24));
  }
}

/** The audio for a text on stdin. */
function runEspeak(args: string[], text: string): Promise<Buffer> {
  const options = {
    encoding: 'buffer',
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_FILE_SIZE,
  } as const;
  return new Promise((resolve, reject) => {
    const child = execFile('espeak-ng', args, options, (error, stdout) => {
      if (error) reject(unavailable(`espeak-ng: ${error.code ?? error.message}`));
      else resolve(stdout);
    });
    // If the program is missing, the callback above reports it.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(text);
  });
}
