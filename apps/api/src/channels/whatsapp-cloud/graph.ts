import { MAX_EXTERNAL_ID } from '@heliograph/contract';
import { type Agent, FormData } from 'undici';
import { z } from 'zod';

import { ChannelDown, type DriverContext, SECRET_MARK, UnknownOutcome } from '../channel.ts';
import {
  documentIn,
  callCarrier,
  type HttpAnswer,
  isSuccess,
  refuseByStatus,
} from '../http-call.ts';
import { meaningOf, type Refused } from './errors.ts';
import type { WhatsappOptions } from './options.ts';

const MAX_WORDS = 500;
const REFUSED_MS = 60_000;
/** Messages of Meta about it quote it. */
const BAD_TOKEN = 190;

/** The answer of Meta, or what its refusal means. */
export type Reply = { document: unknown } | { refused: Refused };

/** Calls of the Graph API with the token of the channel. */
export class Graph {
  constructor(
    private readonly options: WhatsappOptions,
    private readonly agent: Agent,
  ) {}

  /** Throws ChannelDown, or UnknownOutcome if a call of `POST` may have had its effect. */
  async call(
    method: 'GET' | 'POST',
    path: string,
    body: object | FormData | undefined,
    { signal, trace }: Pick<DriverContext, 'signal' | 'trace'>,
    shown?: () => object,
  ): Promise<Reply> {
    const { url, version, accessToken, timeoutMs } = this.options;
    const address = `${url}/${version}/${path}`;
    const isForm = body instanceof FormData;
    trace?.(() => ({
      request: `${method} ${address}${shown ? `\n${JSON.stringify(shown())}` : ''}`,
    }));
    const callOf = () => ({
      url: address,
      method,
      headers: {
        authorization: `Bearer ${accessToken}`,
        // That of a form has its boundary.
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    const answer = await callCarrier(this.agent, callOf, timeoutMs, signal, () => true);
    trace?.(() => ({ answer: `${answer.status}\n${answer.body}` }));
    return this.read(answer);
  }

  private read(answer: HttpAnswer): Reply {
    const { status, body } = answer;
    const document = documentIn(body);
    if (isSuccess(status)) return { document };
    const { data } = Refusal.safeParse(document);
    if (!data) {
      refuseByStatus(answer);
      throw new ChannelDown(`answered ${status}`, REFUSED_MS);
    }
    const { code, error_subcode: subcode, error_data, message } = data.error;
    const words = (error_data?.details ?? message)?.slice(0, MAX_WORDS);
    const meaning = meaningOf({ code, subcode });
    if (typeof meaning === 'object') {
      const said = code === BAD_TOKEN ? 'the access token is not valid' : words;
      const shown = said?.replaceAll(this.options.accessToken, SECRET_MARK);
      throw new ChannelDown(`refused: ${code} ${shown ?? ''}`.trim(), meaning.down);
    }
    if (meaning === 'unknown' || (meaning === undefined && status >= 500))
      throw new UnknownOutcome(`answered ${status} with the error ${code}`);
    // A refusal whose words are not known is still a refusal.
    return {
      refused: { code: meaning ?? 'rejected', carrierCode: code, ...(words && { text: words }) },
    };
  }
}

/** Fields beside the code are of no use if they are not what they should be. */
const Refusal = z.object({
  error: z.object({
    code: z.int(),
    error_subcode: z.int().optional().catch(undefined),
    message: z.string().optional().catch(undefined),
    error_data: z.object({ details: z.string().optional() }).optional().catch(undefined),
  }),
});

export const MetaId = z.string().min(1).max(MAX_EXTERNAL_ID);

/** What an answer has to say if the call had its effect. Throws UnknownOutcome. */
export function readDocument<S extends z.ZodType>(schema: S, document: unknown): z.output<S> {
  const { data, success } = schema.safeParse(document);
  if (!success) throw new UnknownOutcome('answered something unreadable');
  return data;
}
