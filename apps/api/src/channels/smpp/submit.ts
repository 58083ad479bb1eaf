import { randomInt } from 'node:crypto';

import type { SendingErrorCode } from '@heliograph/domain';
import {
  addressOf,
  comparableId,
  formatSpan,
  type Link,
  partsOf,
  PduError,
  statusName,
  type SubmitFields,
  type SubmitOutcome,
} from '@heliograph/smpp';

import type { DriverContext, OutgoingMessage, SubmitResult } from '../channel.ts';
import { tailOf } from '../exchanges.ts';
import { errorTable, numberingIn, senderRules, type SmppOptions, textOptions } from './options.ts';
import { refusalOf } from './statuses.ts';

/** A receipt is asked for whatever becomes of the message: SMPP 3.4, section 5.2.17. */
const FINAL_RECEIPT = 1;
/** The recipient's phone confirms the message and shows nothing: 3GPP TS 23.040, section 9.2.3.9. */
const TYPE_0 = 0x40;

/** Tells the long texts to one person from each other, over whatever session they go. */
let lastReference = randomInt(0x10000);

/** Writes messages as their carrier wants them, and reads what it answers. */
export class Submits {
  private readonly errors: Map<string, SendingErrorCode>;
  private readonly senders;
  private readonly recipients;
  private readonly texts;

  constructor(private readonly options: SmppOptions) {
    this.errors = errorTable(options);
    this.senders = senderRules(options);
    const recipient = numberingIn(options.recipient);
    this.recipients = { alphanumeric: recipient, international: recipient, short: recipient };
    this.texts = textOptions(options);
  }

  /** The result of one message; undefined if it is not known what became of it. */
  async submit(
    link: Pick<Link, 'submit'>,
    message: OutgoingMessage,
    signal: AbortSignal,
    trace?: DriverContext['trace'],
  ): Promise<SubmitResult | undefined> {
    const { reference } = message;
    const parts = this.parts(message);
    if (!Array.isArray(parts)) return { reference, result: 'rejected', ...parts };
    const outcomes = await link.submit(parts, signal);
    trace?.(() => ({
      request: parts.map((part) => shownSubmit(part)).join('\n'),
      answer: outcomes.map((outcome) => shownOutcome(reference, outcome)).join('\n'),
    }));
    const result = this.resultOf(outcomes);
    return result && { reference, ...result };
  }

  private parts(message: OutgoingMessage): SubmitFields[] | { code: SendingErrorCode } {
    const { type, sender, recipient, payload } = message;
    if (type !== 'sms' && type !== 'smsping') return { code: 'unsupported' };
    if (type === 'sms' && !payload.text) return { code: 'invalid_payload' };
    const source = addressOf(sender, this.senders);
    const destination = addressOf(recipient, this.recipients);
    const { serviceType, priorityFlag, validitySeconds } = this.options;
    const seconds = Math.min(validitySeconds ?? Infinity, message.validity?.seconds ?? Infinity);
    const common = {
      serviceType,
      sourceAddrTon: source.ton,
      sourceAddrNpi: source.npi,
      sourceAddr: source.address,
      destAddrTon: destination.ton,
      destAddrNpi: destination.npi,
      destinationAddr: destination.address,
      protocolId: type === 'smsping' ? TYPE_0 : 0,
      priorityFlag,
      validityPeriod: Number.isFinite(seconds) ? formatSpan(seconds) : '',
      registeredDelivery: FINAL_RECEIPT,
    };
    try {
      const texts = partsOf(payload.text ?? '', this.texts, ++lastReference);
      return texts.map((part) => ({ ...common, ...part }));
    } catch (error) {
      if (error instanceof PduError) return { code: 'too_long' };
      throw error;
    }
  }

  /**
   * What became of a message, by what became of its parts. The others were submitted only after the first was accepted, so that from
   * there on the message is at the carrier, and never submitted again: it is `partial` when some part will not arrive.
   */
  private resultOf(outcomes: SubmitOutcome[]): Result | undefined {
    const [first] = outcomes as [SubmitOutcome];
    if (first.outcome !== 'accepted') return this.resultOfFirst(first);
    const missing = outcomes.find(({ outcome }) => outcome !== 'accepted' && outcome !== 'unknown');
    if (missing) return { result: 'rejected', code: 'partial', text: reasonOf(missing) };
    const accepted = outcomes.filter((one) => one.outcome === 'accepted');
    if (accepted.length < outcomes.length) return undefined;
    const ids = accepted.map(({ messageId }) => comparableId(messageId, this.options.answerIds));
    // A carrier without ids has no receipts.
    const externalIds = ids.filter(Boolean);
    return { result: 'accepted', ...(externalIds.length > 0 && { externalIds }) };
  }

  private resultOfFirst(outcome: Exclude<SubmitOutcome, { outcome: 'accepted' }>) {
    switch (outcome.outcome) {
      case 'unknown':
        return undefined;
      case 'unsent':
        return { result: 'unsent' } as const;
      case 'throttled':
        return { result: 'throttled', retryAfter: outcome.retryMs } as const;
      case 'refused': {
        const refusal = refusalOf(outcome.status, this.errors);
        return 'code' in refusal
          ? ({ result: 'rejected', ...refusal } as const)
          : ({ result: 'throttled', ...refusal } as const);
      }
    }
  }
}

/** A PDU by name and fields, of its text the length. */
function shownSubmit({ shortMessage, destinationAddr, ...fields }: SubmitFields): string {
  const names = Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number'
      ? [`${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}=${value}`]
      : [],
  );
  const length = `sm_length=${shortMessage?.length ?? 0}`;
  return ['submit_sm', `destination_addr=${tailOf(destinationAddr ?? '')}`, ...names, length].join(
    ' ',
  );
}

function shownOutcome(reference: string, outcome: SubmitOutcome): string {
  const { outcome: name } = outcome;
  if (name === 'accepted')
    return `submit_sm_resp ${reference} command_status=ESME_ROK message_id=${outcome.messageId}`;
  const status = 'status' in outcome ? ` command_status=${statusName(outcome.status)}` : '';
  return `${status ? 'submit_sm_resp' : name} ${reference}${status}`;
}

type Result = DistributiveOmit<SubmitResult, 'reference'>;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

const reasonOf = (outcome: SubmitOutcome): string =>
  'status' in outcome ? statusName(outcome.status) : 'reason' in outcome ? outcome.reason : '';
