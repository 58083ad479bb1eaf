import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock.ts';
import { notFound } from '../../../core/errors.ts';
import { Log } from '../../../core/log.ts';
import { ChannelAnswers } from '../../channels/channel-answers.service.ts';
import { ChannelChats } from '../../channels/channel-chats.service.ts';
import { ChannelsService } from '../../channels/channels.service.ts';
import { CarrierReportsService } from './carrier-reports.service.ts';
import { RepliesService } from './replies.service.ts';

/** Calls of carriers in their own words, which the options of a channel explain. Stored before the response. */
@Injectable()
export class CallbacksService {
  constructor(
    private readonly clock: Clock,
    private readonly channels: ChannelsService,
    private readonly reports: CarrierReportsService,
    private readonly replies: RepliesService,
    private readonly chats: ChannelChats,
    private readonly answers: ChannelAnswers,
    private readonly log: Log,
  ) {}

  /** Returns the answer that the carrier expects, and its media type. */
  async receive(name: string, fields: unknown): Promise<{ answer: string; type: string }> {
    const channel = await this.channels.get(name);
    const facts = await this.channels.facts(name);
    if (!facts?.callback) throw notFound();
    const read = await facts.callback.read(fields, this.clock.now());
    const { reports, ignored, chat } = read;
    const phone = chat ? await this.chats.receive(name, chat) : null;
    const messages =
      chat?.message && phone ? [...read.messages, { ...chat.message, from: phone }] : read.messages;
    if (reports.length) await this.reports.push(name, reports);
    const [type] = channel.types;
    if (messages.length)
      await this.replies.push(
        name,
        messages.map((message) => ({ ...message, type })),
      );
    if (ignored)
      this.log.info({ channel: name, ignored }, 'Parts of a callback say nothing that is mapped.');
    const said = chat?.answer(phone !== null) ?? '';
    const isLater = facts.callback.isAnsweredLater ?? false;
    if (chat && said && isLater) await this.answers.owe(name, chat.chat, said);
    const answer = chat && !isLater ? said : read.answer;
    return { answer, type: facts.callback.answerType ?? 'text/plain' };
  }
}
