import { Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';

/** Throws `unauthorized` unless the body was signed by the carrier or the acquirer. */
export type VerifySignature = (headers: IncomingHttpHeaders, bytes: Buffer) => void;

/** The parameter of the path that names who signs: a channel of a carrier, or the payment method of an acquirer. */
export type SignerParam = 'channel' | 'method';

/** Finds a signer by name before the body is read. Throws if it may not call. */
export type OpenSigner = (name: string) => Promise<VerifySignature>;

/** Verifies signatures for the guard. The features channels and payments register the implementations. */
@Injectable()
export class Signers {
  private readonly openers = new Map<SignerParam, OpenSigner>();

  use(param: SignerParam, open: OpenSigner): void {
    this.openers.set(param, open);
  }

  open(params: Partial<Record<SignerParam, string>>): Promise<VerifySignature> {
    const param: SignerParam = params.method === undefined ? 'channel' : 'method';
    const open = this.openers.get(param);
    if (!open) throw new Error('No verification is registered');
    return open(params[param]!);
  }
}
