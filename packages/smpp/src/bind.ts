import type { Duplex } from 'node:stream';

import { NoResponse, Session, type SessionOptions } from './session.ts';
import { statusName } from './statuses.ts';

export interface BindFields {
  systemId: string;
  password: string;
  systemType?: string;
  addrTon?: number;
  addrNpi?: number;
  addressRange?: string;
}

export type BindKind = 'bind_transceiver' | 'bind_transmitter' | 'bind_receiver';

/** The peer refused a bind. To try again at once may lock the account. */
export class BindRefused extends Error {
  override readonly name = 'BindRefused';
  readonly status: number;

  constructor(status: number) {
    super(`The bind was refused with ${statusName(status)}`);
    this.status = status;
  }
}

const INTERFACE_VERSION = 0x34;

/** A bound session over a connection. Throws BindRefused, or NoResponse. */
export async function bind(
  socket: Duplex,
  kind: BindKind,
  fields: BindFields,
  options: SessionOptions,
): Promise<Session> {
  const session = new Session(socket, options);
  try {
    const { status } = await session.request(kind, {
      interfaceVersion: INTERFACE_VERSION,
      ...fields,
    });
    if (status !== 0) throw new BindRefused(status);
    if (!session.isOpen) throw new NoResponse('The session has ended', true);
    return session;
  } catch (error) {
    session.close((error as Error).message);
    throw error;
  }
}
