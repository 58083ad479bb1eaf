import type { SendingBody } from '../../estimates/estimates.api.ts';

/**
 * Titles of bulks whose user gave none, in the user's language and time zone, which the server does not know. The same body
 * keeps its title: the idempotency key is that of the body with it, and a retry a minute later must not be a second task.
 */
export function createDefaultTitles() {
  let last: { body: string; title: string } | null = null;
  return {
    withTitle(body: SendingBody, make: () => string): SendingBody {
      if (typeof body.recipient === 'string' || body.options?.title) return body;
      const text = JSON.stringify(body);
      if (last?.body !== text) last = { body: text, title: make() };
      return { ...body, options: { ...body.options, title: last.title } };
    },
    /** After success: the same body is a new task from now on. */
    forget(): void {
      last = null;
    },
  };
}
