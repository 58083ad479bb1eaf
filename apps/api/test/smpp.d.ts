/** The package has no types. What the tests use of it. */
declare module 'smpp' {
  export interface PDU {
    command: string;
    command_status: number;
    message_id: string;
    short_message: { message: string };
    receipted_message_id?: string;
    response(fields?: object): PDU;
  }
  interface Session {
    on(event: 'pdu' | 'deliver_sm', listener: (pdu: PDU) => void): void;
    on(event: 'connect' | 'close', listener: () => void): void;
    on(event: 'error', listener: (error: Error) => void): void;
    bind_transceiver(fields: object, done: (pdu: PDU) => void): void;
    submit_sm(fields: object, done: (pdu: PDU) => void): void;
    unbind(done: (pdu: PDU) => void): void;
    send(pdu: PDU): void;
    close(): void;
  }
  const smpp: { connect(options: { url: string }): Session };
  export default smpp;
}
