const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The wizard's request as a command line. The token is the reader's own to fill in. */
export function curlOf(origin: string, body: object): string {
  return [
    `curl ${quote(`${origin}/api/sendings`)}`,
    `  -H "Authorization: $TOKEN"`,
    `  -H 'Content-Type: application/json'`,
    `  --data-raw ${quote(JSON.stringify(body, null, 2))}`,
  ].join(' \\\n');
}
