import type { OutgoingMessage, PushDevice } from '../channel.ts';
import { linkIn, ttlOf } from '../push.ts';

/** Octets of what the app gets. */
const MAX_PAYLOAD = 4_096;

/**
 * A message of the FCM HTTP v1 API; null if it is too large. The sender is the title, and the first link of the text is opened by a
 * click, in a browser by itself, in an app by what the app makes of `data.link`.
 */
export function bodyOf(
  message: OutgoingMessage,
  { address }: PushDevice,
  now: Date,
): string | null {
  const { reference, sender, payload } = message;
  const text = payload.text ?? '';
  const link = linkIn(text);
  const shown = {
    notification: { title: sender, body: text },
    data: { id: reference, ...(link && { link }) },
  };
  if (Buffer.byteLength(JSON.stringify(shown)) > MAX_PAYLOAD) return null;
  const ttl = ttlOf(message);
  const until = Math.floor(now.getTime() / 1000) + ttl;
  // Other addresses than those over https are refused.
  const opened = link?.startsWith('https://') && { fcm_options: { link } };
  return JSON.stringify({
    message: {
      token: address,
      ...shown,
      android: { ttl: `${ttl}s`, priority: 'HIGH' },
      apns: { headers: { 'apns-expiration': `${until}` } },
      webpush: { headers: { TTL: `${ttl}` }, ...opened },
    },
  });
}
