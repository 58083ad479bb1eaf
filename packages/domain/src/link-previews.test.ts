import { expect, it } from 'vitest';
import { isPreview } from './link-previews.ts';

const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36';

it.each([
  'WhatsApp/2.23.20.0',
  'WhatsApp/2.2429.7 W',
  'TelegramBot (like TwitterBot)',
  'Viber/21.0.0 CFNetwork/1494 Darwin/23.4.0',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  // The previews of iMessage.
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
  'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15 (Applebot/0.1)',
  'Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)',
  'Mozilla/5.0 (Windows NT 10.0) Safelinks/1.0',
  'Mozilla/5.0 (compatible; Proofpoint URL Defense)',
  'Mozilla/5.0 (compatible; BarracudaCentral)',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b',
  'Mozilla/5.0 (Linux; Android 11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36 Chrome-Lighthouse',
  'http.rb/5.2.0 (Mastodon/4.3.0; +https://social.example/)',
  'Expanse, a Palo Alto Networks company, searches across the global IPv4 space',
  'Mozilla/5.0 (compatible; Sophos URL scanner)',
  'Some%20App/1.0 CFNetwork/1494 Darwin/23.4.0',
  'Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8)',
  'okhttp/4.12.0',
  'Mail.RU_Bot/2.0',
  'curl/8.5.0',
  // Libraries, and services that call themselves compatible.
  'python-httpx/0.27.0',
  'Java-http-client/17.0.9',
  'reqwest/0.12',
  'got (https://github.com/sindresorhus/got)',
  'Faraday v2.9.0',
  'PHP/8.3.0',
  'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17328)',
  'Mozilla/5.0',
  'Mozilla/5.0 (compatible; YandexMetrika/3.0; +http://yandex.com/bots)',
  'Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)',
  '',
  undefined,
])('%s is a preview', (agent) => {
  expect(isPreview('GET', { 'user-agent': agent })).toBe(true);
});

it.each([
  SAFARI,
  ANDROID,
  // The browsers within messengers, and a phone whose name ends as those of programs.
  `${SAFARI} WhatsApp/24.1`,
  `${ANDROID} Viber/21.0`,
  'Mozilla/5.0 (Linux; Android 12; CUBOT NOTE 20) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/460.0]',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0',
  'Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0)',
  'Opera/9.80 (J2ME/MIDP; Opera Mini/9.80) Presto/2.12 Version/12.16',
])('%s is a person', (agent) => {
  expect(isPreview('GET', { 'user-agent': agent })).toBe(false);
});

it.each([
  ['purpose', 'prefetch'],
  ['sec-purpose', 'prefetch;prerender'],
  ['x-purpose', 'preview'],
  ['x-moz', 'prefetch'],
])('a page that is loaded in advance is no click: %s %s', (name, value) => {
  expect(isPreview('GET', { 'user-agent': SAFARI, [name]: value })).toBe(true);
});

it('a HEAD is no click', () => {
  expect(isPreview('HEAD', { 'user-agent': SAFARI })).toBe(true);
});
