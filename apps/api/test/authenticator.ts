import { isoCBOR } from '@simplewebauthn/server/helpers';
import {
  passkeys,
  type NewCredential,
  type Passkey,
  type PasskeyCreation,
  type PasskeyRequest,
  type SignedCredential,
} from '@heliograph/contract';
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { PASSWORD, type Person, type World } from './world.ts';

/** Bits of the authenticator data: the person is present and was verified, a new key is attached. */
const PRESENT = 0x01;
const VERIFIED = 0x04;
const SYNCED = 0x18;
const NEW_KEY = 0x40;

const sha256 = (data: Uint8Array | string) => createHash('sha256').update(data).digest();
const encoded = (data: Uint8Array | string) => Buffer.from(data).toString('base64url');

interface Answers {
  origin?: string;
  host?: string;
  /** Whether the device has verified the person, by a PIN or a fingerprint. */
  isVerified?: boolean;
  type?: string;
}

/** An authenticator with one key, as a browser and a device answer for it: ES256, no attestation, counting. */
export class Authenticator {
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly id = encoded(randomBytes(32));
  count = 0;
  private readonly origin: string;

  constructor({ config }: Pick<World, 'config'>) {
    this.origin = new URL(config.publicUrl).origin;
  }

  create(options: PasskeyCreation, answers: Answers = {}): NewCredential {
    const { x, y } = this.keys.publicKey.export({ format: 'jwk' });
    const bytes = (text?: string) => Uint8Array.from(Buffer.from(text!, 'base64url'));
    // COSE: an elliptic key, for ES256, on P-256.
    const key = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, bytes(x)],
        [-3, bytes(y)],
      ]),
    );
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const authData = Buffer.concat([
      this.data(answers.host ?? options.rp.id, answers, SYNCED | NEW_KEY),
      Buffer.alloc(16),
      length,
      id,
      key,
    ]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', Uint8Array.from(authData)],
    ]);
    return {
      id: this.id,
      clientDataJSON: this.client('webauthn.create', options.challenge, answers),
      attestationObject: encoded(isoCBOR.encode(attestation as never)),
      transports: ['internal', 'hybrid'],
    };
  }

  sign(options: PasskeyRequest, answers: Answers = {}): SignedCredential {
    this.count++;
    const authenticatorData = this.data(answers.host ?? options.rpId, answers, SYNCED);
    const clientDataJSON = this.client('webauthn.get', options.challenge, answers);
    const signed = Buffer.concat([
      authenticatorData,
      sha256(Buffer.from(clientDataJSON, 'base64url')),
    ]);
    return {
      id: this.id,
      clientDataJSON,
      authenticatorData: encoded(authenticatorData),
      signature: encoded(sign('sha256', signed, this.keys.privateKey)),
    };
  }

  private data(host: string, { isVerified = true }: Answers, flags: number): Buffer {
    const rest = Buffer.alloc(5);
    rest[0] = PRESENT | (isVerified ? VERIFIED : 0) | flags;
    rest.writeUInt32BE(this.count, 1);
    return Buffer.concat([sha256(host), rest]);
  }

  private client(type: string, challenge: string, answers: Answers): string {
    const origin = answers.origin ?? this.origin;
    return encoded(JSON.stringify({ type: answers.type ?? type, challenge, origin }));
  }
}

/** Adds a passkey to a user. */
export async function withPasskey(
  world: World,
  { api }: Pick<Person, 'api'>,
  title = 'Laptop',
): Promise<Authenticator & { passkey: Passkey }> {
  const device = new Authenticator(world);
  const options = await api(passkeys.begin, { body: { password: PASSWORD } });
  const body = { title, credential: device.create(options) };
  return Object.assign(device, { passkey: await api(passkeys.create, { body }) });
}
