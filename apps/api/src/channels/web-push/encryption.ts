import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/** Octets of an encrypted message, as each push service takes at least. */
const MAX_MESSAGE = 4_096;
/** Of its header: the salt, the size of a record, and the key with its length. */
const HEADER = 16 + 4 + 1 + 65;
/** Of a record: the delimiter and the tag. */
const RECORD = 1 + 16;
/** Octets of a text that can be encrypted. */
export const MAX_PLAINTEXT = MAX_MESSAGE - HEADER - RECORD;

const CURVE = 'prime256v1';
const LAST_RECORD = 2;

interface Subscription {
  /** The public key and the secret of the browser, in base64url. */
  p256dh: string;
  auth: string;
}

/** What is made anew for each message; given in tests. */
interface Fresh {
  privateKey: Buffer;
  salt: Buffer;
}

/** Encrypts a message for the browser alone (RFC 8291, in one record of RFC 8188). Throws if the public key is none. */
export function encrypted(text: Buffer, { p256dh, auth }: Subscription, fresh?: Fresh): Buffer {
  const theirs = Buffer.from(p256dh, 'base64url');
  const pair = createECDH(CURVE);
  if (fresh) pair.setPrivateKey(fresh.privateKey);
  else pair.generateKeys();
  const ours = pair.getPublicKey();
  const salt = fresh?.salt ?? randomBytes(16);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours]);
  const material = derived(pair.computeSecret(theirs), Buffer.from(auth, 'base64url'), info, 32);
  const key = derived(material, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derived(material, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(MAX_MESSAGE);
  return Buffer.concat([
    salt,
    size,
    Buffer.from([ours.length]),
    ours,
    cipher.update(text),
    cipher.update(Buffer.from([LAST_RECORD])),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

const derived = (material: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', material, salt, info, length));
