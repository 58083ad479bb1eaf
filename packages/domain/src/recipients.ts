const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a recipient is the id of a contact list, a UUID. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
