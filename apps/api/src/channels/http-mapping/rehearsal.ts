import qs from 'qs';

import { parseExactly } from '../../core/http/exact-json.ts';
import { ChannelDown, type Rehearsal, type RehearsalSample, UnknownOutcome } from '../channel.ts';
import { readVendorAnswer } from './answers.ts';
import { readCallback } from './callbacks.ts';
import type { MappingOptions } from './options.ts';
import { requestOf } from './requests.ts';

/** What the options make of a message, an answer and a callback. */
export function rehearse(options: MappingOptions, sample: RehearsalSample): Rehearsal {
  const { message, answer, callback, now } = sample;
  return {
    request: requestOf(options, [message]),
    ...(answer && { result: resultOf(options, sample, answer) }),
    ...(callback !== undefined &&
      options.callback && { callback: readCallback(options.callback, fieldsOf(callback), now) }),
  };
}

function resultOf(
  { response }: MappingOptions,
  { message }: RehearsalSample,
  answer: NonNullable<RehearsalSample['answer']>,
): Rehearsal['result'] {
  try {
    const [result] = readVendorAnswer(response, [message], answer);
    return result ?? { result: 'unknown', text: 'No rule fits the answer.' };
  } catch (error) {
    if (error instanceof ChannelDown) return { result: 'down', text: error.message };
    if (error instanceof UnknownOutcome) return { result: 'unknown', text: error.message };
    throw error;
  }
}

/** JSON, or the fields of a form or a query. */
function fieldsOf(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return qs.parse(text.replace(/^\?/, ''), { depth: 5, parameterLimit: 500 });
  }
}
