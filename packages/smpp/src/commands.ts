import {
  type Field,
  cstring,
  destinations,
  shortMessage,
  time,
  uint8,
  unsuccessful,
} from './fields.ts';
import { STATUS } from './statuses.ts';

const serviceType = cstring(6, STATUS.ESME_RINVSERTYP);
/** Names and secrets are longer than 15 and 8 octets in many programs, and these send them whole. */
const systemId = cstring(16, STATUS.ESME_RINVSYSID, 65);
const password = cstring(9, STATUS.ESME_RINVPASWD, 65);
const messageId = cstring(65, STATUS.ESME_RINVMSGID);
const validityPeriod = time(STATUS.ESME_RINVEXPIRY);
const scheduleDeliveryTime = time(STATUS.ESME_RINVSCHED);

const bind = {
  systemId,
  password,
  systemType: cstring(13, STATUS.ESME_RINVSYSTYP),
  interfaceVersion: uint8,
  addrTon: uint8,
  addrNpi: uint8,
  addressRange: cstring(41, STATUS.ESME_RBINDFAIL),
};
const source = {
  sourceAddrTon: uint8,
  sourceAddrNpi: uint8,
  sourceAddr: cstring(21, STATUS.ESME_RINVSRCADR),
};
const destination = {
  destAddrTon: uint8,
  destAddrNpi: uint8,
  destinationAddr: cstring(21, STATUS.ESME_RINVDSTADR),
};
/** Addresses of data_sm and alert_notification are longer. */
const longSource = { ...source, sourceAddr: cstring(65, STATUS.ESME_RINVSRCADR) };
const message = {
  esmClass: uint8,
  protocolId: uint8,
  priorityFlag: uint8,
  scheduleDeliveryTime,
  validityPeriod,
  registeredDelivery: uint8,
  replaceIfPresentFlag: uint8,
  dataCoding: uint8,
  smDefaultMsgId: uint8,
  shortMessage,
};
const submit = { serviceType, ...source, ...destination, ...message };

/** The operations of SMPP 3.4, section 4, with their mandatory fields in the order of the wire. */
const FIELDS = {
  generic_nack: [0x80000000, {}],
  bind_receiver: [0x00000001, bind],
  bind_receiver_resp: [0x80000001, { systemId }],
  bind_transmitter: [0x00000002, bind],
  bind_transmitter_resp: [0x80000002, { systemId }],
  query_sm: [0x00000003, { messageId, ...source }],
  query_sm_resp: [
    0x80000003,
    {
      messageId,
      finalDate: cstring(17, STATUS.ESME_RQUERYFAIL),
      messageState: uint8,
      errorCode: uint8,
    },
  ],
  submit_sm: [0x00000004, submit],
  submit_sm_resp: [0x80000004, { messageId }],
  deliver_sm: [0x00000005, submit],
  deliver_sm_resp: [0x80000005, { messageId }],
  unbind: [0x00000006, {}],
  unbind_resp: [0x80000006, {}],
  replace_sm: [
    0x00000007,
    {
      messageId,
      ...source,
      scheduleDeliveryTime,
      validityPeriod,
      registeredDelivery: uint8,
      smDefaultMsgId: uint8,
      shortMessage,
    },
  ],
  replace_sm_resp: [0x80000007, {}],
  cancel_sm: [0x00000008, { serviceType, messageId, ...source, ...destination }],
  cancel_sm_resp: [0x80000008, {}],
  bind_transceiver: [0x00000009, bind],
  bind_transceiver_resp: [0x80000009, { systemId }],
  outbind: [0x0000000b, { systemId, password }],
  enquire_link: [0x00000015, {}],
  enquire_link_resp: [0x80000015, {}],
  submit_multi: [0x00000021, { serviceType, ...source, destinations, ...message }],
  submit_multi_resp: [0x80000021, { messageId, unsuccessful }],
  alert_notification: [
    0x00000102,
    {
      ...longSource,
      esmeAddrTon: uint8,
      esmeAddrNpi: uint8,
      esmeAddr: cstring(65, STATUS.ESME_RINVDSTADR),
    },
  ],
  data_sm: [
    0x00000103,
    {
      serviceType,
      ...longSource,
      ...destination,
      destinationAddr: cstring(65, STATUS.ESME_RINVDSTADR),
      esmClass: uint8,
      registeredDelivery: uint8,
      dataCoding: uint8,
    },
  ],
  data_sm_resp: [0x80000103, { messageId }],
} as const satisfies Record<string, readonly [number, Record<string, Field<unknown>>]>;

export type Command = keyof typeof FIELDS;
type ValueOf<F> = F extends Field<infer T> ? T : never;
/** The mandatory fields of a command. */
export type Body<C extends Command> = {
  -readonly [K in keyof (typeof FIELDS)[C][1]]: ValueOf<(typeof FIELDS)[C][1][K]>;
};

export interface CommandDefinition {
  command: Command;
  id: number;
  fields: [name: string, field: Field<unknown>][];
}

export const COMMANDS = Object.fromEntries(
  Object.entries(FIELDS).map(([command, [id, fields]]) => [
    command,
    { command, id, fields: Object.entries(fields) },
  ]),
) as unknown as Record<Command, CommandDefinition>;

const BY_ID = new Map(Object.values(COMMANDS).map((definition) => [definition.id, definition]));

export const commandOf = (id: number): CommandDefinition | undefined => BY_ID.get(id);

export const RESPONSE_BIT = 0x80000000;

/** The id of the response to a request: `responseId(0x04)` is 0x80000004. */
export const responseId = (id: number): number => (id | RESPONSE_BIT) >>> 0;
export const isResponseId = (id: number): boolean => id >= RESPONSE_BIT;

/** Requests that are answered, and their responses. */
export type Request = {
  [C in Command]: `${C}_resp` extends Command ? C : never;
}[Command];
export type ResponseOf<C extends Request> = `${C}_resp` & Command;
