import fc from 'fast-check';
import smpp from 'smpp';
import { describe, expect, it } from 'vitest';

import { COMMANDS, type Command } from './commands.ts';
import { PduFramer } from './framer.ts';
import { PduError } from './octets.ts';
import { type Pdu, type PduInput, decodePdu, encodePdu } from './pdu.ts';
import { STATUS } from './statuses.ts';
import { type Tlv, tagOf, tlv, tlvOf } from './tlvs.ts';

const hex = (text: string) => Buffer.from(text.replace(/\s/g, ''), 'hex');

function decoded(octets: Buffer, isStrict = true): Pdu {
  const { pdu, error } = decodePdu(octets, isStrict);
  if (!pdu) throw error;
  return pdu;
}

function refusal(octets: Buffer, isStrict = true): number | undefined {
  return decodePdu(octets, isStrict).error?.status;
}

describe('vectors of the specification', () => {
  // SMPP 3.4, section 3.2.3, the example of a bind_transmitter.
  const bind = hex(`0000002F 00000002 00000000 00000001
    534D50503354455354 00 7365637265743038 00 5355424D495431 00 50 01 01 00`);
  it('bind_transmitter', () => {
    const pdu = decoded(bind);
    expect(pdu).toEqual({
      command: 'bind_transmitter',
      status: 0,
      sequence: 1,
      systemId: 'SMPP3TEST',
      password: 'secret08',
      systemType: 'SUBMIT1',
      interfaceVersion: 0x50,
      addrTon: 1,
      addrNpi: 1,
      addressRange: '',
      tlvs: [],
    });
    expect(encodePdu(pdu as PduInput<'bind_transmitter'>)).toEqual(bind);
  });

  it('bind_transmitter_resp', () => {
    const octets = hex('0000001D 80000002 00000000 00000001 534D50503354455354 2B 00 61');
    // The terminator of the system id is where it is: 'SMPP3TEST+' and a rest that is no parameter.
    expect(refusal(octets)).toBe(STATUS.ESME_RINVOPTPARSTREAM);
    const right = hex('0000001A 80000002 00000000 00000001 534D50503354455354 00');
    expect(decoded(right)).toMatchObject({ systemId: 'SMPP3TEST' });
  });

  it('submit_sm with optional parameters, known and unknown, in their order', () => {
    const octets = hex(`00000047 00000004 00000000 00000005
      00 05 00 48656C696F00 01 01 373939393132333435363700 03 00 00 00 00 01 00 08 00 04 042F042F
      0204 0002 002A  1403 0003 010203  0204 0002 0007`);
    octets.writeUInt32BE(octets.length, 0);
    const pdu = decoded(octets) as Extract<Pdu, { command: 'submit_sm' }>;
    expect(pdu).toMatchObject({
      sourceAddrTon: 5,
      sourceAddr: 'Helio',
      destAddrTon: 1,
      destAddrNpi: 1,
      destinationAddr: '79991234567',
      esmClass: 3,
      registeredDelivery: 1,
      dataCoding: 8,
      shortMessage: hex('042F042F'),
    });
    expect(pdu.tlvs).toEqual([
      { tag: 0x0204, value: hex('002A') },
      { tag: 0x1403, value: hex('010203') },
      { tag: 0x0204, value: hex('0007') },
    ]);
    expect(tlvOf(pdu.tlvs, 'userMessageReference')).toBe(42);
    expect(encodePdu(pdu)).toEqual(octets);
  });

  it('submit_multi to addresses and lists', () => {
    const destinations = [
      { flag: 1, ton: 1, npi: 1, address: '79990000001' },
      { flag: 2, list: 'friends' },
    ] as const;
    const octets = encodePdu({
      command: 'submit_multi',
      sequence: 9,
      destinations: [...destinations],
    });
    expect(octets.toString('hex')).toContain('0201010137393939303030303030310002667269656e647300');
    expect(decoded(octets)).toMatchObject({ destinations });
    const answer = encodePdu({
      command: 'submit_multi_resp',
      sequence: 9,
      messageId: 'a',
      unsuccessful: [{ ton: 1, npi: 1, address: '7', status: STATUS.ESME_RINVDSTADR }],
    });
    expect(answer.subarray(16).toString('hex')).toBe('61000101013700' + '0000000b');
    expect(decoded(answer)).toMatchObject({ unsuccessful: [{ status: 0x0b }] });
  });

  it.each([
    ['enquire_link', '00000010 00000015 00000000 00000002'],
    ['enquire_link_resp', '00000010 80000015 00000000 00000002'],
    ['unbind', '00000010 00000006 00000000 7FFFFFFF'],
    ['generic_nack', '00000010 80000000 00000003 00000000'],
    ['submit_sm_resp', '00000010 80000004 00000058 00000007'],
  ])('%s has a header alone', (command, text) => {
    const pdu = decoded(hex(text));
    expect(pdu.command).toBe(command);
    expect(encodePdu(pdu as PduInput<'unbind'>)).toEqual(hex(text));
  });

  it('every command of SMPP 3.4 has its id', () => {
    const ids = Object.values(COMMANDS).map(({ id }) => id.toString(16));
    expect(new Set(ids).size).toBe(27);
    expect(COMMANDS.outbind.id).toBe(0x0b);
    expect(COMMANDS.alert_notification.id).toBe(0x102);
    expect(COMMANDS.data_sm_resp.id).toBe(0x80000103);
  });
});

describe('what is not allowed', () => {
  const submit = (fields: Partial<PduInput<'submit_sm'>>) =>
    encodePdu({ command: 'submit_sm', sequence: 1, ...fields });

  it.each([
    [{ sourceAddr: 'x'.repeat(21) }, STATUS.ESME_RINVSRCADR],
    [{ destinationAddr: '7\0' }, STATUS.ESME_RINVDSTADR],
    [{ destinationAddr: 'я' }, STATUS.ESME_RINVDSTADR],
    [{ serviceType: '123456' }, STATUS.ESME_RINVSERTYP],
    [{ validityPeriod: '0'.repeat(17) }, STATUS.ESME_RINVEXPIRY],
    [{ scheduleDeliveryTime: '0'.repeat(17) }, STATUS.ESME_RINVSCHED],
    [{ shortMessage: Buffer.alloc(255) }, STATUS.ESME_RINVMSGLEN],
    [{ esmClass: 256 }, STATUS.ESME_RSYSERR],
    [{ tlvs: [{ tag: 1, value: Buffer.alloc(65_536) }] }, STATUS.ESME_RINVPARLEN],
  ])('is not written: %o', (fields, status) => {
    let thrown: unknown;
    try {
      submit(fields);
    } catch (error) {
      thrown = error;
    }
    expect((thrown as PduError).status).toBe(status);
  });

  /** A submit_sm with a source of `length` octets, made by hand. */
  const longSource = (length: number) => {
    const octets = submit({ sourceAddr: 'a' });
    const at = octets.indexOf('a');
    const long = Buffer.concat([
      octets.subarray(0, at),
      Buffer.alloc(length, 'a'),
      octets.subarray(at + 1),
    ]);
    long.writeUInt32BE(long.length, 0);
    return long;
  };

  it('is refused by a strict reader and taken by another', () => {
    expect(refusal(longSource(20))).toBeUndefined();
    expect(refusal(longSource(21))).toBe(STATUS.ESME_RINVSRCADR);
    expect(decoded(longSource(40), false)).toMatchObject({ sourceAddr: 'a'.repeat(40) });
    const withoutNul = hex('00000012 80000004 00000000 00000001 4142');
    expect(refusal(withoutNul)).toBe(STATUS.ESME_RINVCMDLEN);
    expect(decoded(withoutNul, false)).toMatchObject({ messageId: 'AB' });
    const withoutBody = hex('00000010 80000004 00000000 00000001');
    expect(refusal(withoutBody)).toBe(STATUS.ESME_RINVCMDLEN);
    expect(decoded(withoutBody, false)).toMatchObject({ messageId: '' });
    const withRest = hex('00000018 80000004 00000000 00000001 41420004 28000101');
    withRest.writeUInt32BE(withRest.length);
    expect(decoded(Buffer.concat([withRest, hex('FF')]), false)).toMatchObject({
      messageId: 'AB',
      tlvs: [{ tag: 0x0428, value: hex('01') }],
    });
    expect(refusal(Buffer.concat([withRest, hex('FF')]))).toBe(STATUS.ESME_RINVOPTPARSTREAM);
    // The NUL of a text that is counted in octets.
    const filled = Buffer.concat([submit({ shortMessage: hex('4142') }), hex('00')]);
    expect(decoded(filled, false)).toMatchObject({ shortMessage: hex('4142'), tlvs: [] });
    expect(refusal(filled)).toBe(STATUS.ESME_RINVOPTPARSTREAM);
  });

  it('has the status of the specification', () => {
    expect(refusal(hex('00000010 00000099 00000000 00000005'), false)).toBe(STATUS.ESME_RINVCMDID);
    expect(refusal(submit({}).subarray(0, 25), false)).toBe(STATUS.ESME_RINVCMDLEN);
    const cutTlv = Buffer.concat([submit({}), hex('0204 0002 00')]);
    expect(refusal(cutTlv, false)).toBe(STATUS.ESME_RINVOPTPARSTREAM);
    const failure = decodePdu(hex('00000010 00000099 00000000 00000005'));
    expect(failure).toMatchObject({ id: 0x99, header: { sequence: 5 } });
  });
});

describe('optional parameters', () => {
  it('are read with other lengths and without a NUL', () => {
    const tlvs: Tlv[] = [
      { tag: tagOf('messageState'), value: hex('0002') },
      { tag: tagOf('receiptedMessageId'), value: Buffer.from('abc') },
      { tag: tagOf('sarMsgRefNum'), value: Buffer.alloc(0) },
      { tag: tagOf('sarTotalSegments'), value: Buffer.alloc(5) },
    ];
    expect(tlvOf(tlvs, 'messageState')).toBe(2);
    expect(tlvOf(tlvs, 'receiptedMessageId')).toBe('abc');
    expect(tlvOf(tlvs, 'sarMsgRefNum')).toBeUndefined();
    expect(tlvOf(tlvs, 'sarTotalSegments')).toBeUndefined();
    expect(tlvOf(tlvs, 'messagePayload')).toBeUndefined();
    expect(tlvOf([tlv('receiptedMessageId', 'x')], 'receiptedMessageId')).toBe('x');
  });
});

const text = (size: number) =>
  fc.string({
    unit: fc.integer({ min: 1, max: 0xff }).map((code) => String.fromCharCode(code)),
    maxLength: size - 1,
  });
const octet = fc.integer({ min: 0, max: 255 });
const octets = (maxLength: number) =>
  fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));
const sequence = fc.integer({ min: 1, max: 0x7fffffff });
const submitFields = fc.record({
  serviceType: text(6),
  sourceAddrTon: octet,
  sourceAddrNpi: octet,
  sourceAddr: text(21),
  destAddrTon: octet,
  destAddrNpi: octet,
  destinationAddr: text(21),
  esmClass: octet,
  protocolId: octet,
  priorityFlag: octet,
  scheduleDeliveryTime: text(17),
  validityPeriod: text(17),
  registeredDelivery: octet,
  replaceIfPresentFlag: octet,
  dataCoding: octet,
  smDefaultMsgId: octet,
  shortMessage: octets(254),
  tlvs: fc.array(fc.record({ tag: fc.integer({ min: 0, max: 0xffff }), value: octets(40) }), {
    maxLength: 5,
  }),
});

describe('any PDU', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<'submit_sm' | 'deliver_sm'>('submit_sm', 'deliver_sm'),
        sequence,
        submitFields,
        (command, number, fields) => {
          const pdu = { command, status: 0, sequence: number, ...fields };
          expect(decoded(encodePdu(pdu))).toEqual(pdu);
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** The names of our fields in the package `smpp`. */
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const toTheirs = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [snake(name), value]));

describe('the package smpp as a second opinion', () => {
  // Its own fields of the same names, whose texts are ASCII and whose messages have no header: what it would encode by itself.
  const ascii = (size: number) => fc.stringMatching(new RegExp(`^[!-~]{0,${size - 1}}$`));
  const fields = fc.record({
    serviceType: ascii(6),
    sourceAddrTon: octet,
    sourceAddrNpi: octet,
    sourceAddr: ascii(21),
    destAddrTon: octet,
    destAddrNpi: octet,
    destinationAddr: ascii(21),
    protocolId: octet,
    priorityFlag: octet,
    registeredDelivery: octet,
    replaceIfPresentFlag: octet,
    smDefaultMsgId: octet,
  });
  const message = octets(140);
  const parameters = fc.record({
    user_message_reference: fc.integer({ min: 0, max: 0xffff }),
    sar_total_segments: octet,
    receipted_message_id: ascii(65),
  });

  it('writes the same octets', () => {
    fc.assert(
      fc.property(sequence, fields, message, parameters, (number, some, content, optional) => {
        const theirs = new smpp.PDU('submit_sm', {
          ...toTheirs(some),
          sequence_number: number,
          data_coding: 4,
          esm_class: 0,
          short_message: content,
          ...optional,
        }).toBuffer();
        const ours = encodePdu({
          command: 'submit_sm',
          sequence: number,
          ...some,
          dataCoding: 4,
          shortMessage: content,
          tlvs: [
            tlv('userMessageReference', optional.user_message_reference),
            tlv('sarTotalSegments', optional.sar_total_segments),
            tlv('receiptedMessageId', optional.receipted_message_id),
          ],
        });
        // interface_version and the like are equal too: nothing is left out of the comparison.
        expect(ours.toString('hex')).toBe(theirs.toString('hex'));
      }),
      { numRuns: 200 },
    );
  });

  it.each<Command>([
    'bind_transceiver',
    'bind_receiver',
    'bind_transmitter_resp',
    'submit_sm_resp',
    'query_sm',
    'query_sm_resp',
    'cancel_sm',
    'data_sm',
    'data_sm_resp',
    'alert_notification',
    'outbind',
    'unbind',
    'enquire_link_resp',
    'generic_nack',
  ])('reads our %s as it was written', (command) => {
    const texts: Record<string, string> = { finalDate: '', scheduleDeliveryTime: '' };
    const values = Object.fromEntries(
      COMMANDS[command].fields.map(([name, { empty }], i) => [
        name,
        typeof empty === 'number' ? i + 1 : (texts[name] ?? name.slice(0, 5)),
      ]),
    );
    const octetsOf = encodePdu({ command, sequence: 77, ...values } as PduInput<Command>);
    const theirs = new smpp.PDU(octetsOf) as unknown as Record<string, unknown>;
    // Dates are objects there.
    const { final_date: _date, ...expected } = toTheirs(values);
    expect(theirs).toMatchObject({ command, sequence_number: 77, ...expected });
    expect(theirs.command_length).toBe(octetsOf.length);
  });
});

describe('framer', () => {
  const framed = (framer: PduFramer, chunk: Buffer) => [...framer.push(chunk)];
  const pdus = [
    encodePdu({ command: 'enquire_link', sequence: 1 }),
    encodePdu({ command: 'submit_sm', sequence: 2, shortMessage: Buffer.alloc(200, 1) }),
    encodePdu({
      command: 'deliver_sm',
      sequence: 3,
      tlvs: [tlv('messagePayload', Buffer.alloc(65_535, 7))],
    }),
    encodePdu({ command: 'unbind', sequence: 4 }),
  ];
  const stream = Buffer.concat(pdus);

  it.each([1, 2, 3, 7, 15, 16, 17, 1_000, stream.length])('cuts chunks of %i octets', (size) => {
    const framer = new PduFramer();
    const found: Buffer[] = [];
    for (let at = 0; at < stream.length; at += size) {
      found.push(...framed(framer, stream.subarray(at, at + size)));
    }
    expect(found.map((pdu) => pdu.length)).toEqual(pdus.map((pdu) => pdu.length));
    expect(Buffer.concat(found).equals(stream)).toBe(true);
  });

  it.each([0, 1, 15, 70_001, 0x7fffffff, 0xffffffff])('refuses a length of %i', (length) => {
    const header = Buffer.alloc(4);
    header.writeUInt32BE(length);
    const framer = new PduFramer();
    const before = process.memoryUsage().arrayBuffers;
    expect(() => framed(framer, header)).toThrow(PduError);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
  });

  it('gives what is complete before the error', () => {
    const framer = new PduFramer();
    const found: Buffer[] = [];
    expect(() => {
      for (const pdu of framer.push(Buffer.concat([pdus[0]!, Buffer.alloc(4, 0xff)])))
        found.push(pdu);
    }).toThrow(PduError);
    expect(found).toEqual([pdus[0]]);
  });
});

describe('broken octets', () => {
  /** A PDU of every command, with the fields filled. */
  const samples = (Object.keys(COMMANDS) as Command[]).map((command) =>
    encodePdu({
      command,
      sequence: 5,
      ...Object.fromEntries(
        COMMANDS[command].fields.map(([name, { empty }]) => [
          name,
          typeof empty === 'number' ? 1 : typeof empty === 'string' ? 'abc' : empty,
        ]),
      ),
      tlvs: [tlv('messagePayload', Buffer.alloc(9)), tlv('receiptedMessageId', 'id')],
    } as PduInput<Command>),
  );

  it('of every length are a PDU or a PduError', () => {
    for (const sample of samples) {
      for (let length = 16; length <= sample.length; length++) {
        for (const isStrict of [true, false]) {
          const { pdu, error } = decodePdu(sample.subarray(0, length), isStrict);
          expect(pdu === undefined).toBe(error !== undefined);
        }
      }
      expect(decodePdu(sample, true).error).toBeUndefined();
    }
  });

  it('with any octet changed are a PDU or a PduError', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.array(fc.tuple(fc.nat(), octet), { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        (sample, changes, isStrict) => {
          const broken = Buffer.from(sample);
          for (const [at, value] of changes) broken[at % broken.length] = value;
          const { pdu, error } = decodePdu(broken, isStrict);
          expect(pdu === undefined).toBe(error instanceof PduError);
          // What was read leniently may be too long to be written; nothing else may happen.
          if (pdu) pduErrors(() => decoded(encodePdu(pdu as PduInput<Command>)));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('at random end in an error or in PDUs, with one PDU of memory', () => {
    fc.assert(
      fc.property(fc.array(octets(64), { maxLength: 20 }), (chunks) => {
        const framer = new PduFramer(4_096);
        pduErrors(() => {
          for (const chunk of chunks) {
            for (const pdu of framer.push(chunk)) {
              expect(pdu.length).toBeLessThanOrEqual(4_096);
              decodePdu(pdu);
            }
          }
        });
      }),
      { numRuns: 1_000 },
    );
  });

  /** Runs something that may end in a PduError, and in no other. */
  function pduErrors(run: () => void): void {
    try {
      run();
    } catch (error) {
      if (!(error instanceof PduError)) throw error;
    }
  }
});
