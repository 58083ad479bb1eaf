import { z } from 'zod';

import {
  defineDriver,
  type Driver,
  type DriverContext,
  type OpenContext,
  type OutgoingMessage,
  type SubmitResult,
} from '../channel.ts';
import { carrierAgent } from '../http-call.ts';
import { sendOneByOne } from '../one-by-one.ts';
import { bodyOf, shownBody } from './bodies.ts';
import { doorOf } from './callbacks.ts';
import { isOfTemplate, type Refused } from './errors.ts';
import { Graph, MetaId, readDocument } from './graph.ts';
import { MediaStore } from './media.ts';
import { WhatsappOptions } from './options.ts';
import { TemplateList } from './template-list.ts';
import type { Template } from './templates.ts';

/** Messages of one call, which go one by one. */
const MAX_BATCH = 20;

/** A number of Meta's WhatsApp Business Platform, over the Cloud API. */
export const whatsappDriver = defineDriver({
  name: 'whatsapp-cloud',
  types: ['whatsapp', 'chat_whatsapp'],
  options: WhatsappOptions,
  describe: (options) => ({
    deduplicates: false,
    maxBatch: MAX_BATCH,
    concurrency: options.connections,
    isQueried: false,
    callback: doorOf(options),
  }),
  open: (options, context) => new WhatsappChannel(options, context),
});

const Accepted = z.object({ messages: z.array(z.object({ id: MetaId })).min(1) });

class WhatsappChannel implements Driver {
  private readonly agent;
  private readonly graph: Graph;
  private readonly media: MediaStore;
  private readonly templates: TemplateList;

  constructor(
    private readonly options: WhatsappOptions,
    { outbound, files }: OpenContext,
  ) {
    this.agent = carrierAgent(outbound, options);
    this.graph = new Graph(options, this.agent);
    this.media = new MediaStore(this.graph, options.phoneNumberId, files);
    this.templates = new TemplateList(this.graph, options.businessAccountId);
  }

  async send(batch: OutgoingMessage[], context: DriverContext): Promise<SubmitResult[]> {
    const templates = await this.templates.current(context.trace);
    return sendOneByOne(batch, context, (message) => this.sendOne(message, templates, context));
  }

  close(): Promise<void> {
    return this.agent.close();
  }

  /** Throws ChannelDown or UnknownOutcome of this message. */
  private async sendOne(
    message: OutgoingMessage,
    templates: readonly Template[],
    context: DriverContext,
  ): Promise<SubmitResult> {
    const { reference, payload } = message;
    const fileId = [payload.image, payload.file].find((one) => typeof one === 'string');
    const media = fileId
      ? await this.media.of(fileId, fileId === payload.image, context)
      : undefined;
    if (media && 'code' in media) return refusal(message, media);
    const written = bodyOf(message, media, templates, this.options.previewLinks);
    if ('refused' in written) return refusal(message, written.refused);
    const { body } = written;
    const path = `${this.options.phoneNumberId}/messages`;
    const reply = await this.graph.call('POST', path, body, context, () => shownBody(body));
    if ('refused' in reply) {
      if (fileId) this.media.forget(fileId);
      if (isOfTemplate(reply.refused.carrierCode!)) this.templates.doubt();
      return refusal(message, reply.refused);
    }
    const [{ id }] = readDocument(Accepted, reply.document).messages as [{ id: string }];
    return { reference, result: 'accepted', externalIds: [id] };
  }
}

const HOUR_MS = 3_600_000;
/** A number may send one message in six seconds to a person; after many in a row it waits longer. */
const FIRST_WAIT_MS = 6_000;

function refusal({ reference, tries }: OutgoingMessage, { code, ...said }: Refused): SubmitResult {
  if (code !== 'later') return { reference, result: 'rejected', code, ...said };
  const retryAfter = Math.min(HOUR_MS, FIRST_WAIT_MS * 2 ** Math.min(tries, 10));
  return { reference, result: 'throttled', retryAfter };
}
