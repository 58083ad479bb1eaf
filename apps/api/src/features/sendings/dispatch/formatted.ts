import { formattedHtml, formattedPlain, withOpenImage } from '@heliograph/domain/formatted-text';

import type { OutgoingMessage } from '../../../channels/channel.ts';
import type { Slices } from '../../../core/slices.ts';

type Payload = OutgoingMessage['payload'];

/**
 * E-mails in Markdown as carriers get them: a plain text, and `html`, with the image of the message if there is one in `images`, by
 * message. `progress` is called after each, as thousands take longer than a lease.
 */
export async function formatted(
  messages: OutgoingMessage[],
  images: ReadonlyMap<string, string>,
  slices: Slices,
  progress: () => void,
): Promise<OutgoingMessage[]> {
  if (!messages.some(({ payload }) => isMarkdown(payload))) return messages;
  /** A bulk without variables has one text. */
  const known = new Map<string, { text: string; html: string }>();
  const done: OutgoingMessage[] = [];
  await slices.forEach(messages, (message) => {
    const { format, ...payload } = message.payload;
    const written = payload.text ?? '';
    if (format !== 'markdown') return void done.push(message);
    const parts = known.get(written) ?? {
      text: formattedPlain(written),
      html: formattedHtml(written),
    };
    known.set(written, parts);
    const src = images.get(message.reference);
    const html = src ? withOpenImage(parts.html, src) : parts.html;
    done.push({ ...message, payload: { ...payload, text: parts.text, html } });
    progress();
  });
  return done;
}

export const isMarkdown = ({ format }: Payload): boolean => format === 'markdown';
