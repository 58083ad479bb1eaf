import { compileText, type VariableValues } from '@heliograph/domain';

/** The text with a recipient's values; unchanged while its variables cannot be parsed. */
export function filledIn(text: string, values: VariableValues): string {
  try {
    return compileText(text).preview(values);
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
