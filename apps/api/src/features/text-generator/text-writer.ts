import type { GeneratorForm } from '@heliograph/contract';
import type { SendingType, TextLimit } from '@heliograph/domain';
import { AppError } from '../../core/errors.ts';

export interface TextOrder {
  form: GeneratorForm;
  channel: SendingType;
  /** How long the text may be. What is longer is cut afterwards. */
  room: TextLimit;
}

/** Whoever writes texts. Throws `unavailable`, or `rate_limited` when it has too much to do. */
export abstract class TextWriter {
  abstract write(order: TextOrder): Promise<string>;
}

export class NoWriter extends TextWriter {
  override write(): Promise<string> {
    return Promise.reject(new AppError('unavailable', 'No text generator is configured'));
  }
}
