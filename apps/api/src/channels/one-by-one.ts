import {
  ChannelDown,
  type DriverContext,
  type OutgoingMessage,
  type SubmitResult,
} from './channel.ts';

/**
 * Results of a batch for a carrier that takes one message in a call. If nothing more leaves for now, the rest is `unsent`; of a message
 * whose outcome is not known nothing is said. Throws what `sendOne` throws if it says all of the batch.
 */
export async function sendOneByOne(
  batch: readonly OutgoingMessage[],
  context: DriverContext,
  sendOne: (message: OutgoingMessage) => Promise<SubmitResult>,
): Promise<SubmitResult[]> {
  const results: SubmitResult[] = [];
  for (const [i, message] of batch.entries()) {
    try {
      if (context.signal.aborted) throw new ChannelDown('stopped before the submit', 0);
      results.push(await sendOne(message));
    } catch (error) {
      const isDown = error instanceof ChannelDown;
      if ((isDown && i === 0) || batch.length === 1) throw error;
      return [...results, ...batch.slice(isDown ? i : i + 1).map(unsent)];
    } finally {
      context.progress();
    }
  }
  return results;
}

const unsent = ({ reference }: OutgoingMessage) => ({ reference, result: 'unsent' as const });
