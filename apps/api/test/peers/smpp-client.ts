import {
  type BindKind,
  type Delivered,
  type Pdu,
  type PduInput,
  type Session,
  STATUS,
  TEXT_OPTIONS,
  type TextOptions,
  bind,
  partsOf,
} from '@heliograph/smpp';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { until } from '../until.ts';

export interface Credentials {
  systemId: string;
  password: string;
}

/** What a program binds with to use a token. */
export function credentialsOf(token: string): Credentials {
  const [, systemId, secret] = /^(hg_\w{12})_(.*)$/.exec(token)!;
  return { systemId: systemId!, password: secret!.slice(0, 8) };
}

export interface SmppClient {
  session: Session;
  /** What came, in its order. */
  delivered: Delivered[];
  /** By which what comes is answered: a status, or null for no answer at all. */
  respond: (pdu: Delivered) => number | null;
  /** Waits until so many have come. */
  received(count: number): Promise<Delivered[]>;
  submit(fields: Partial<PduInput<'submit_sm'>>): Promise<Pdu>;
}

export const submitOf = (text: string, more: Partial<PduInput<'submit_sm'>> = {}) => ({
  sourceAddrTon: 5,
  sourceAddr: 'MIRTEA',
  destAddrTon: 1,
  destAddrNpi: 1,
  destinationAddr: '79161234567',
  registeredDelivery: 1,
  ...partsOf(text, TEXT_OPTIONS, 1)[0]!,
  ...more,
});

/** The submits of a long text. */
export const partsFor = (text: string, reference: number, options: Partial<TextOptions> = {}) =>
  partsOf(text, { ...TEXT_OPTIONS, ...options }, reference).map((part) => submitOf('', part));

/** A program that speaks SMPP to the server. */
export async function smppClient(
  port: number,
  credentials: Credentials,
  kind: BindKind = 'bind_transceiver',
  socket: Duplex = connect(port, '127.0.0.1'),
): Promise<SmppClient> {
  const delivered: Delivered[] = [];
  const client: SmppClient = {
    delivered,
    respond: () => STATUS.ESME_ROK,
    session: undefined as never,
    received: (count) =>
      until(async () => delivered.length >= count && delivered, `${count} deliveries`),
    submit: (fields) => client.session.request('submit_sm', fields),
  };
  client.session = await bind(socket, kind, credentials, {
    handle: async (pdu) => {
      const status = client.respond(pdu as Delivered);
      if (status === null) return new Promise(() => {});
      if (status === STATUS.ESME_ROK) delivered.push(pdu as Delivered);
      return { status };
    },
  });
  return client;
}
