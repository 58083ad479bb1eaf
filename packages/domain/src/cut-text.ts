/** The first `max` UTF-16 units of a text, less half of a character at the end: Postgres stores none. */
export function cutText(text: string, max: number): string {
  const cut = text.slice(0, max);
  return /[\ud800-\udbff]$/.test(cut) && max < text.length ? cut.slice(0, -1) : cut;
}
