const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a recipient is the id of a contact list rather than a phone. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
