import type { GeneratorForm } from '@heliograph/contract';
import type { SendingType, TextLimit } from '@heliograph/domain';
import { AppError } from '../../core/errors.ts';

export interface TextOrder {
  form: GeneratorForm;
  channel: SendingType;
  /** Maximum length. Longer texts are truncated. */
  room: TextLimit;
}

/** Generates texts. Throws `unavailable`, or `rate_limited` if the service is overloaded. */
export abstract class TextWriter {
  abstract write(order: TextOrder): Promise<string>;
}

export class NoWriter extends TextWriter {
  override write(): Promise<string> {
    return Promise.reject(new AppError('unavailable', 'No text generator is configured'));
  }
}
