import { isBlank } from '@heliograph/domain';

import type { OutgoingMessage } from '../channel.ts';
import { tailOf } from '../exchanges.ts';
import type { Refused } from './errors.ts';
import type { Media } from './media.ts';
import { fill, type Filled, type MediaKind, type Template, type Value } from './templates.ts';

const MAX_TEXT = 4_096;
/** Of a caption, and of a text with buttons. */
const MAX_SHORT_TEXT = 1_024;
const MAX_BUTTONS = 3;
const MAX_TITLE = 20;
const MAX_BUTTON_ID = 256;

interface Button {
  text: string;
  action: string;
}
type Content = { type: string } & Record<string, unknown>;

/**
 * The body of a submit: an approved template if the message reads like one, else free text, which Meta takes within 24 hours after the
 * person has written.
 */
export function bodyOf(
  { reference, recipient, payload }: OutgoingMessage,
  media: Media | undefined,
  templates: readonly Template[],
  previewLinks: boolean,
): { body: Record<string, unknown> } | { refused: Refused } {
  const text = isBlank(payload.text ?? '') ? '' : payload.text!.toWellFormed();
  const buttons = buttonsOf(payload.buttons);
  if (!PHONE.test(recipient)) return { refused: { code: 'invalid_recipient' } };
  // The type of a template names what may stand above its text.
  const kind = media?.kind === 'audio' ? 'document' : (media?.kind ?? null);
  const filled = fill(templates, { text, media: kind, buttons });
  const content = filled
    ? templateContent(filled, media && asMedia(media, kind!))
    : contentOf(text, buttons, media, previewLinks);
  if ('code' in content) return { refused: content as unknown as Refused };
  return {
    body: {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: recipient,
      ...content,
      biz_opaque_callback_data: reference,
    },
  };
}

const PHONE = /^\+\d{6,15}$/;
const isLink = (action: string): boolean => /^https?:\/\//i.test(action);

function buttonsOf(given: unknown): Button[] {
  if (!Array.isArray(given)) return [];
  return given.flatMap((one: Partial<Button> | null) =>
    typeof one?.text === 'string' && typeof one.action === 'string'
      ? [{ text: one.text.toWellFormed(), action: one.action.toWellFormed() }]
      : [],
  );
}

const invalid = (text: string): Refused => ({ code: 'invalid_payload', text });

function contentOf(
  text: string,
  buttons: Button[],
  media: Media | undefined,
  previewLinks: boolean,
): Content | Refused {
  if (buttons.length) return interactive(text, buttons, media);
  if (!media) {
    if (!text) return invalid('There is no text.');
    if (text.length > MAX_TEXT) return { code: 'too_long' };
    return { type: 'text', text: { body: text, preview_url: previewLinks } };
  }
  if (text.length > MAX_SHORT_TEXT) return { code: 'too_long' };
  // A sound has no caption.
  const { type, [type]: sent } = asMedia(media, media.kind === 'audio' && text ? 'document' : null);
  return { type, [type]: { ...(sent as object), ...(text && { caption: text }) } };
}

/** A file as a field of a body, under the name of its kind. */
function asMedia({ kind, id, filename }: Media, as: MediaKind | null): Content {
  const type = as ?? kind;
  return { type, [type]: { id, ...(filename && type === 'document' && { filename }) } };
}

function interactive(text: string, buttons: Button[], media: Media | undefined): Content | Refused {
  if (!text) return invalid('Buttons need a text.');
  if (text.length > MAX_SHORT_TEXT) return { code: 'too_long' };
  if (buttons.length > MAX_BUTTONS) return invalid(`At most ${MAX_BUTTONS} buttons.`);
  if (buttons.some((one) => one.text.length > MAX_TITLE))
    return invalid(`The text of a button has at most ${MAX_TITLE} characters.`);
  const links = buttons.filter(({ action }) => isLink(action));
  if (links.length && buttons.length > 1)
    return invalid('A button with a link is the only one of its message.');
  const header = media && { header: asMedia(media, media.kind === 'audio' ? 'document' : null) };
  const [link] = links;
  if (link) {
    const parameters = { display_text: link.text, url: link.action };
    const action = { name: 'cta_url', parameters };
    return {
      type: 'interactive',
      interactive: { type: 'cta_url', ...header, body: { text }, action },
    };
  }
  if (new Set(buttons.map((one) => one.text)).size < buttons.length)
    return invalid('Buttons have different texts.');
  if (new Set(buttons.map(({ action }) => action)).size < buttons.length)
    return invalid('Buttons have different actions.');
  if (buttons.some(({ action }) => action.length > MAX_BUTTON_ID))
    return invalid(`The action of a button has at most ${MAX_BUTTON_ID} characters.`);
  const replies = buttons.map(({ text: title, action: id }) => ({
    type: 'reply',
    reply: { id, title },
  }));
  return {
    type: 'interactive',
    interactive: { type: 'button', ...header, body: { text }, action: { buttons: replies } },
  };
}

function templateContent(
  { template, header, body, buttons }: Filled,
  media: Content | undefined,
): Content {
  const { name, language, isNamed } = template;
  const asText = ({ name: parameter_name, text }: Value) => ({
    type: 'text',
    ...(isNamed && { parameter_name }),
    text,
  });
  const above = media ? [media] : header.map(asText);
  const components = [
    ...(above.length ? [{ type: 'header', parameters: above }] : []),
    ...(body.length ? [{ type: 'body', parameters: body.map(asText) }] : []),
    ...buttons.map(({ index, kind, value }) => ({
      type: 'button',
      sub_type: kind,
      index: String(index),
      parameters: [PARAMETERS[kind](value)],
    })),
  ];
  return {
    type: 'template',
    template: { name, language: { code: language }, ...(components.length && { components }) },
  };
}

const PARAMETERS: Readonly<Record<Filled['buttons'][number]['kind'], (value: string) => object>> = {
  url: (text) => ({ type: 'text', text }),
  quick_reply: (payload) => ({ type: 'payload', payload }),
  copy_code: (coupon_code) => ({ type: 'coupon_code', coupon_code }),
};

/** Words of Meta and ours, of which nothing is private. */
const SHOWN: ReadonlySet<string> = new Set([
  'messaging_product',
  'recipient_type',
  'type',
  'name',
  'code',
  'sub_type',
  'index',
  'parameter_name',
  'biz_opaque_callback_data',
]);

/** The body for the log of exchanges: of texts the length, of the number the end. */
export function shownBody(body: Record<string, unknown>): object {
  const shown = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((one) => shown(one, name));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shown(one, key)]));
    if (typeof value !== 'string' || SHOWN.has(name)) return value;
    return name === 'to' ? tailOf(value) : `[${[...value].length}]`;
  };
  return shown(body, '') as object;
}
