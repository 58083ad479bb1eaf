import { z } from 'zod';

import { currentTime } from '../../core/time.ts';
import { ChannelDown, type DriverContext, UnknownOutcome } from '../channel.ts';
import { type Graph, readDocument } from './graph.ts';
import { GivenTemplate, type Template, templateOf } from './templates.ts';

const FRESH_MS = 600_000;
/** After a failure, and after Meta has refused a template that is on the list. */
const AGAIN_MS = 60_000;
const READ_MS = 45_000;
const PAGE = 100;
/** Business accounts have up to 6,000 templates. */
const MAX_PAGES = 60;
const FIELDS = 'name,language,status,category,parameter_format,components';

/** Templates that are not understood are none of ours. */
const Page = z.object({
  data: z.array(z.unknown()),
  paging: z
    .object({ cursors: z.object({ after: z.string().max(2_000) }).optional(), next: z.string() })
    .partial()
    .optional(),
});

/** The approved templates of a business account, read again every ten minutes. */
export class TemplateList {
  private templates: readonly Template[] | undefined;
  private dueAt = 0;
  private reading: Promise<readonly Template[]> | undefined;

  constructor(
    private readonly graph: Graph,
    private readonly businessAccountId: string | undefined,
  ) {}

  /** Throws ChannelDown if they have never been read: what is meant as a template would be refused as free text. */
  async current(trace: DriverContext['trace']): Promise<readonly Template[]> {
    if (!this.businessAccountId) return [];
    if (this.templates && currentTime() < this.dueAt) return this.templates;
    this.reading ??= this.read(trace).finally(() => (this.reading = undefined));
    return this.reading;
  }

  /** Meta does not know one of them any more. */
  doubt(): void {
    this.dueAt = Math.min(this.dueAt, currentTime() + AGAIN_MS);
  }

  private async read(trace: DriverContext['trace']): Promise<readonly Template[]> {
    try {
      this.templates = await this.readPages(trace);
      this.dueAt = currentTime() + FRESH_MS;
    } catch (error) {
      if (!this.templates) throw asDown(error as Error);
      this.dueAt = currentTime() + AGAIN_MS;
    }
    return this.templates;
  }

  private async readPages(trace: DriverContext['trace']): Promise<Template[]> {
    // Several calls of `send` wait for it: it ends with none of them.
    const signal = AbortSignal.timeout(READ_MS);
    const templates: Template[] = [];
    let after: string | undefined;
    for (let page = 0; page < MAX_PAGES; page++) {
      const query = new URLSearchParams({
        fields: FIELDS,
        status: 'APPROVED',
        limit: String(PAGE),
        ...(after !== undefined && { after }),
      }).toString();
      const path = `${this.businessAccountId}/message_templates?${query}`;
      // What is approved is long, and the same in every call: the answer is not logged.
      trace?.(() => ({ request: `GET ${path}` }));
      const reply = await this.graph.call('GET', path, undefined, { signal });
      if ('refused' in reply) {
        const { carrierCode, text = '' } = reply.refused;
        throw new ChannelDown(`refused: ${carrierCode} ${text}`.trim(), AGAIN_MS);
      }
      const { data, paging } = readDocument(Page, reply.document);
      for (const one of data) {
        const given = GivenTemplate.safeParse(one).data;
        const template = given && templateOf(given);
        if (template) templates.push(template);
      }
      after = paging?.next ? paging.cursors?.after : undefined;
      if (after === undefined) break;
    }
    return templates;
  }
}

/** Reading has no effect: nothing of a message has left. */
const asDown = (cause: Error): Error => {
  if (cause instanceof ChannelDown || cause instanceof UnknownOutcome) {
    const wait = cause instanceof ChannelDown ? cause.retryAfter : 10_000;
    return new ChannelDown(`the templates were not read: ${cause.message}`, wait, { cause });
  }
  return cause;
};
