import { Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';

/** Throws `unauthorized` unless the carrier or the acquirer has made the call. `search`: the query of the URL, with its question mark. */
export type VerifySignature = (headers: IncomingHttpHeaders, bytes: Buffer, search: string) => void;

/**
 * The parameter of the path that names who signs: a channel, a channel whose carrier calls in its own words, or the payment method of an
 * acquirer.
 */
export type SignerParam = 'channel' | 'carrier' | 'method';

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
    for (const [param, open] of this.openers) {
      const name = params[param];
      if (name !== undefined) return open(name);
    }
    throw new Error('No verification is registered');
  }
}
