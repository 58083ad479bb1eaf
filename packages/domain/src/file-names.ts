import { stripInvisible } from './invisible.ts';

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/**
 * A title of a file as people type it: without control characters and without invisible ones, of which those that turn the direction
 * make `exe.txt` of `txt.exe`.
 */
export function cleanFileTitle(title: string): string {
  return stripInvisible(title).replace(CONTROL, '').trim();
}
