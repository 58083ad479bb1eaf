import { callCarrier, carrierAgent, isSuccess } from '../http-call.ts';
import { type CallbackDoor, defineDriver } from '../channel.ts';
import { readVendorAnswer } from './answers.ts';
import { isGenuine, readCallback } from './callbacks.ts';
import { type MappingOptions, Options } from './options.ts';
import { presets } from './presets.ts';
import { requestOf, shownRequest } from './requests.ts';
import { rehearse } from './rehearsal.ts';
import { hasEach } from './templates.ts';

/**
 * A carrier with an HTTP interface of its own: the options say how a request is written, how its answer is read, and how the carrier
 * calls back.
 */
export const mappingDriver = defineDriver({
  name: 'http-mapping',
  options: Options,
  presets,
  describe: (options) => ({
    deduplicates: options.deduplicates,
    maxBatch: hasEach(options.request) ? options.maxBatch : 1,
    concurrency: options.connections,
    isQueried: false,
    ...(options.callback && { callback: doorOf(options) }),
  }),
  open(options, { outbound }) {
    const agent = carrierAgent(outbound, options);
    const { response, timeoutMs } = options;
    const isRead = (status: number) => isSuccess(status) || response.statuses.includes(status);
    return {
      async send(batch, { signal, trace }) {
        const callOf = () => requestOf(options, batch);
        trace?.(() => ({ request: shownRequest(options, batch) }));
        const answer = await callCarrier(agent, callOf, timeoutMs, signal, isRead);
        trace?.(() => ({ answer: `${answer.status}\n${answer.body}` }));
        return readVendorAnswer(response, batch, answer);
      },
      close: () => agent.close(),
    };
  },
  rehearse,
});

const doorOf = (options: MappingOptions): CallbackDoor => ({
  isGenuine: (call) => isGenuine(options, call),
  read: (fields, now) => readCallback(options.callback!, fields, now),
});
