import { EXAMPLE_CLICK_CODE, putClickCodes, shortLinksIn } from '@heliograph/domain';
import { useSettings } from '../../../core/settings.ts';
import { useSendForm } from './send-form.ts';
import { isSingle, payloadOf, variantsOf, type SendValues } from './send-values.ts';

/** Whether one of the texts or a fallback has a short link of the installation, of a bulk. */
export function hasShortLinks(base: string, values: SendValues): boolean {
  const payloads = JSON.stringify([
    variantsOf(values)?.text,
    ...[values, ...values.fallbacks].map(payloadOf),
  ]);
  return payloads.includes(`${base}/`) && shortLinksIn(base, payloads).length > 0;
}

/** Whether the form asks if it is to tell who clicked. */
export function useOffersClicks(): boolean {
  const { linksUrl } = useSettings().sendings;
  const { values } = useSendForm();
  return linksUrl !== null && !isSingle(values) && hasShortLinks(linksUrl, values);
}

/** The text as long as it is sent: with the code of a recipient in its links, if the form asks for it. */
export function useCodedText(): (text: string) => string {
  const { linksUrl } = useSettings().sendings;
  const { tellsWhoClicked } = useSendForm().values;
  if (linksUrl === null || !tellsWhoClicked) return (text) => text;
  return (text) => putClickCodes(shortLinksIn(linksUrl, text))(text, EXAMPLE_CLICK_CODE);
}
