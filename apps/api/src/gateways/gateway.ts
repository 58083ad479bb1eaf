import type { SendingErrorCode, Status } from '@heliograph/domain';

/** An instance at the gateway. */
export interface InstanceRef {
  id: string;
  token: string;
}

export type LinkState = 'authorized' | 'notAuthorized' | 'sleep' | 'deleted';

/** `refused`: the phone that has scanned cannot be linked. */
export type GatewayQr =
  | { type: 'code'; code: string | null; image: string | null }
  | { type: 'authorized' }
  | { type: 'refused'; reason: 'device_link_beta' };

/** What has happened at an instance. `receipt` acknowledges it. */
export type GatewayEvent = { receipt: string } & (
  | { kind: 'state'; state: LinkState }
  | {
      kind: 'status';
      externalId: string;
      status: Status;
      code: SendingErrorCode | null;
      at: Date | null;
    }
  | { kind: 'message'; id: string; from: string; text: string }
  | { kind: 'other' }
  /** Without a body, or with characters that cannot be kept: dropped, and logged. */
  | { kind: 'unreadable' }
);

/** `lost`: it is not known whether the gateway has accepted the message; `down`: it has not. */
export type GatewayAnswer =
  | { result: 'accepted'; externalId: string }
  | { result: 'rejected'; code: SendingErrorCode }
  | { result: 'throttled'; retryAfter: number }
  | { result: 'lost' }
  | { result: 'down'; reason: string };

/** A gateway of WhatsApp instances. Its calls throw `unavailable` if it cannot be reached; `send` does not throw. */
export interface Gateway {
  create(name: string): Promise<InstanceRef>;
  /** An instance that was created under this name, if the answer to the creation was lost. */
  find(name: string): Promise<InstanceRef | null>;
  /** Repeatable. */
  remove(id: string): Promise<void>;
  /** The phone is null while none is linked. */
  state(instance: InstanceRef): Promise<{ state: LinkState; phone: string | null }>;
  qr(instance: InstanceRef): Promise<GatewayQr>;
  logout(instance: InstanceRef): Promise<void>;
  /** `to` in E.164. */
  send(instance: InstanceRef, message: { to: string; text: string }): Promise<GatewayAnswer>;
  /** The earliest event that was not acknowledged. */
  receive(instance: InstanceRef): Promise<GatewayEvent | null>;
  acknowledge(instance: InstanceRef, receipt: string): Promise<void>;
}

export interface GatewaySettings {
  /** Without a slash at the end. */
  url: string;
  /** Creates and removes instances. */
  token: string;
}
