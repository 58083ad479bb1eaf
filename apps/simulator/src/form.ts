import type { IncomingMessage } from 'node:http';

const MAX_BODY_BYTES = 64 * 1_024;

/** A body in JSON or of a form; empty if it is too long or unreadable. */
export async function readForm(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return {};
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString();
  if (!request.headers['content-type']?.includes('json'))
    return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
