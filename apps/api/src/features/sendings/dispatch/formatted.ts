import { formattedHtml, formattedPlain } from '@heliograph/domain/formatted-text';

import type { OutgoingMessage } from '../../../channels/channel.ts';
import type { Slices } from '../../../core/slices.ts';

type Payload = OutgoingMessage['payload'];

/**
 * E-mails in Markdown as carriers get them: a plain text, and `html`. `progress` is called after each, as thousands take longer than a
 * lease.
 */
export async function formatted(
  messages: OutgoingMessage[],
  slices: Slices,
  progress: () => void,
): Promise<OutgoingMessage[]> {
  if (!messages.some(({ payload }) => isMarkdown(payload))) return messages;
  /** A bulk without variables has one text. */
  const known = new Map<string, Pick<Payload, 'text' | 'html'>>();
  const done: OutgoingMessage[] = [];
  await slices.forEach(messages, (message) => {
    const { format, ...payload } = message.payload;
    const text = payload.text ?? '';
    if (format !== 'markdown') return void done.push(message);
    const parts = known.get(text) ?? { text: formattedPlain(text), html: formattedHtml(text) };
    known.set(text, parts);
    done.push({ ...message, payload: { ...payload, ...parts } });
    progress();
  });
  return done;
}

const isMarkdown = ({ format }: Payload): boolean => format === 'markdown';
