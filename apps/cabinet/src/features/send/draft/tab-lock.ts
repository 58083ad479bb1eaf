/** Another tab of this browser answers within it, in milliseconds. */
const ANSWER_MS = 150;

interface Message {
  /** A tab with this number requests the lock. */
  claim?: number;
  /** Another has it before the tab of this number. */
  refused?: number;
}

/**
 * What `navigator.locks` gives on secure origins, by asking the other tabs. Of two that ask at once the lower number
 * has it. Answers how to leave it; null when another tab has it.
 */
export function hold(key: string): Promise<(() => void) | null> {
  const channel = new BroadcastChannel(key);
  const own = Math.random();
  const say = (message: Message) => channel.postMessage(message);
  const leave = () => channel.close();
  return new Promise((answer) => {
    let isHeld = false;
    const timer = setTimeout(() => {
      isHeld = true;
      answer(leave);
    }, ANSWER_MS);
    channel.onmessage = ({ data: { claim, refused } }: MessageEvent<Message>) => {
      if (claim !== undefined && (isHeld || own < claim)) return say({ refused: claim });
      if (isHeld || (claim === undefined && refused !== own)) return;
      clearTimeout(timer);
      leave();
      answer(null);
    };
    say({ claim: own });
  });
}
