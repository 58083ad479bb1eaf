import type { SendingType } from '@heliograph/contract';
import {
  compileContent,
  compileText,
  type MessageTexts,
  type VariableValues,
  type WriteValue,
} from '@heliograph/domain';

/** The text with a recipient's values; unchanged while its variables cannot be parsed. */
export function filledIn(text: string, values: VariableValues, write?: WriteValue): string {
  try {
    return compileText(text, 'contact', write).preview(values);
  } catch {
    return text;
  }
}

/** The variables a text names; none while it cannot be read. */
export function namesIn(text: string): string[] {
  try {
    return compileText(text).names;
  } catch {
    return [];
  }
}

/** The variables of a message that stand somewhere without a default. */
export function requiredIn(type: SendingType, payload: MessageTexts): string[] {
  try {
    return compileContent(type, payload).required;
  } catch {
    return [];
  }
}
