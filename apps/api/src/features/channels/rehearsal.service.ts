import { Injectable } from '@nestjs/common';
import type { ChannelRehearsed, channels } from '@heliograph/contract';
import { segmentsForType } from '@heliograph/domain';
import type { DriverDefinition, Rehearsal } from '../../channels/channel.ts';
import { optionsOf, parseOptions } from '../../channels/options.ts';
import { findDriver } from '../../channels/registry.ts';
import { Clock } from '../../core/clock.ts';
import { invalid } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import { optionsRefusal } from './channels.service.ts';

type Input = In<typeof channels.rehearse>['body'];

const REFERENCE = '01930000-0000-7000-8000-0000000000a1';

/** Tries the options of a driver on a message, an answer and a callback. Nothing is sent, and no secret is used. */
@Injectable()
export class RehearsalService {
  constructor(private readonly clock: Clock) {}

  rehearse({
    driver,
    options,
    type,
    recipient,
    payload,
    answer,
    callback,
  }: Input): ChannelRehearsed {
    const definition = findDriver(driver);
    if (!definition?.rehearse)
      throw invalid('driver', 'unknown', 'No driver of this name can be tried.');
    const { sender, ...content } = payload;
    return present(
      definition.rehearse(readOptions(definition, options), {
        message: {
          reference: REFERENCE,
          type,
          sender,
          recipient,
          payload: content,
          segments: segmentsForType(type, content.text ?? ''),
          tries: 0,
        },
        now: this.clock.now(),
        answer,
        callback,
      }),
    );
  }
}

/** With the names of the secrets in place of their values. */
function readOptions(definition: DriverDefinition, given: Input['options']) {
  const secrets = optionsOf(definition)
    .filter(({ isSecret }) => isSecret)
    .map(({ name }) => [name, `SECRET_${name.toUpperCase()}`]);
  try {
    const options = { ...withoutNulls(given), ...Object.fromEntries(secrets) };
    return parseOptions('rehearsal', definition.options, options);
  } catch (error) {
    throw optionsRefusal(error);
  }
}

const withoutNulls = (options: Input['options']) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null));

function present({ request, result, callback }: Rehearsal): ChannelRehearsed {
  const { body = null, ...called } = request;
  const textOf = (name: string): string | null => {
    const value = (result as Record<string, unknown>)[name];
    return typeof value === 'string' ? value : null;
  };
  return {
    request: { ...called, body },
    result: result
      ? {
          result: result.result,
          externalId: (result.result === 'accepted' && result.externalIds?.[0]) || null,
          code: textOf('code'),
          text: textOf('text'),
        }
      : null,
    callback: callback
      ? {
          ...callback,
          reports: callback.reports.map(({ reference, externalId, status, code, at }) => ({
            reference: reference ?? null,
            externalId: externalId ?? null,
            status,
            code: code ?? null,
            at: at.toISOString(),
          })),
          messages: callback.messages.map(({ id, from, to = '', text, at }) => ({
            id: id ?? null,
            from,
            to,
            text,
            at: at.toISOString(),
          })),
        }
      : null,
  };
}
