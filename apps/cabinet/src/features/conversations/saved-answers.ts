import type { Contact } from '@heliograph/contract';
import {
  compileText,
  shownValues,
  VariableError,
  type Locale,
  type VariableValues,
} from '@heliograph/domain';

/**
 * A text of a template for the person of a conversation. Of several contacts it takes one that has a name. What has no value stays as a
 * variable, and a text that is an operator's template stays as it is.
 */
export function filledFor(
  text: string,
  address: string,
  contacts: readonly Contact[],
  locale: Locale,
): string {
  const contact = contacts.find((one) => one.firstName || one.lastName) ?? contacts[0];
  const values = {
    [address.includes('@') ? 'email' : 'phone']: address,
    ...(contact && shownValues(contact as unknown as VariableValues, locale)),
  };
  try {
    return compileText(text, 'any').draft(values);
  } catch {
    return text;
  }
}

/** What of a reply looks like a variable or a character class, and is sent as it is written. */
export function unfilledIn(text: string): string[] {
  try {
    return compileText(text, 'any').names.map((name) => `{${name}}`);
  } catch (error) {
    if (!(error instanceof VariableError)) throw error;
    const { reason, variable } = error;
    return [reason === 'character_class' ? variable : `{${variable}}`];
  }
}
