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
  'node',
  'Ruby',
  'undici',
  'axios/1.7.2',
  'Java/17.0.9',
  'Java1.8.0_202',
  'Dart/3.4 (dart:io)',
  'libwww-perl/6.77',
  'GuzzleHttp/7',
  'Python/3.12 aiohttp/3.9.5',
  'Scrapy/2.11.2 (+https://scrapy.example)',
  'Deno/1.45.0',
  'Bun/1.1.20',
  'HTTPie/3.2.2',
  'python-urllib3/2.2.2',
  'PycURL/7.45.3 libcurl/8.5.0',
  'Symfony HttpClient (Curl)',
  'rest-client/2.1.0 (linux x86_64) ruby/3.3.0p0',
  'Typhoeus - https://github.com/typhoeus/typhoeus',
  'node-superagent/9.0.2',
  'Apache-HttpAsyncClient/4.1.5 (Java/17.0.9)',
  'Jakarta Commons-HttpClient/3.1',
  'ktor-client',
  'ReactorNetty/1.1.19',
  'RestSharp/111.2.0.0',
  'HTTP-Tiny/0.088',
  'Mojolicious (Perl)',
  'hackney/1.20.1',
  'ureq/2.10.0',
  'fasthttp',
  'colly - https://github.com/gocolly/colly/v2',
  'insomnia/9.3.2',
  'WordPress/6.5.5; https://tea.example',
  'Lavf/60.16.100',
  'An app/3 CFNetwork/1494 Darwin/23.4.0',
  'Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.19041.4648',
  'Mozilla/3.0 (compatible; Indy Library)',
  'Mozilla/4.5 (compatible; HTTrack 3.0x; Windows 98)',
  'Mozilla/5.0 (linux) AppleWebKit/537.36 (KHTML, like Gecko) jsdom/24.1.0',
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
  // A model with parentheses, within a messenger.
  'Mozilla/5.0 (Linux; Android 12; moto g(30)) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/120.0.6099.144 Mobile Safari/537.36 Viber/21.8.0.5',
  'Mozilla/5.0 (Linux; Android 14; SM-A546B Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0.6478.122 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 13; SM-A536B; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0.6478.122 Mobile Safari/537.36 Telegram-Android/10.14.5 (Samsung SM-A536B; Android 13; SDK 33; AVERAGE)',
  'Mozilla/5.0 (Linux; Android 13; 2201117TY; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/125.0.6422.165 Mobile Safari/537.36 WhatsApp/2.24.13.77 W4B',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Viber/22.6.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Snapchat/12.93.0.36 (like Safari/8618.2.12.11.6, panda)',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 338.0.3.32.98 (iPhone14,5; iOS 17_4; ru_RU; ru; scale=3.00; 1170x2532; 610)',
  'Mozilla/5.0 (Linux; Android 12; V2120; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/122.0.6261.119 Mobile Safari/537.36 MicroMessenger/8.0.47.2560(0x28002F37) WeChat/arm64 NetType/4G Language/en ABI/arm64',
  'Mozilla/5.0 (Linux; Android 11; M2101K7AG; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0.0.0 Mobile Safari/537.36 Line/14.9.2/IAB',
  'Mozilla/5.0 (Linux; U; Android 10; en-US; RMX1971 Build/QKQ1.190918.001) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/78.0.3904.108 UCBrowser/13.4.0.1306 Mobile Safari/537.36',
  'UCWEB/2.0 (MIDP-2.0; U; Adr 4.4.2; en-US; Micromax_Q402) U2/1.0.0 UCBrowser/10.7.6.805 U2/1.0.0 Mobile',
  'Opera/9.80 (Android; Opera Mini/36.2.2254/119.132; U; id) Presto/2.12.423 Version/12.16',
  'Mozilla/5.0 (Linux; U; Android 12; Infinix X6515; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/108.0.5359.156 Mobile Safari/537.36 OPR/73.0.2254.68186',
  'Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 10; HarmonyOS; ANA-NX9; HMSCore 6.13.0.322) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.5735.196 HuaweiBrowser/15.0.4.302 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; U; Android 13; ru-ru; 2201116SG Build/TKQ1.221114.001) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4896.127 Mobile Safari/537.36 XiaoMi/MiuiBrowser/14.11.1-gn',
  'Mozilla/5.0 (Mobile; Nokia_8110_4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5',
  'Mozilla/5.0 (Mobile; LYF/F90M/LYF-F90M-000-02-28-130318; Android; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.0',
  'Nokia6300/2.0 (07.21) Profile/MIDP-2.0 Configuration/CLDC-1.1',
  'BlackBerry8520/5.0.0.681 Profile/MIDP-2.1 Configuration/CLDC-1.1 VendorID/120',
  'SAMSUNG-GT-S5620/S5620XEJE2 Dolfin/2.0 NexPlayer/3.0 SMM-MMS/1.2.0 profile/MIDP-2.1 configuration/CLDC-1.1',
  'Dorado WAP-Browser/1.0.0',
  'MQQBrowser/26 Mozilla/5.0 (linux; U; Android 2.3.7; zh-cn; MB200 Build/GRJ22) AppleWebKit/533.1 (KHTML, like Gecko) Version/4.0 Mobile Safari/533.1',
  'Mozilla/5.0 (Linux; arm_64; Android 13; RMX3511) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.6367.210 YaBrowser/24.6.2.79.00 SA/3 Mobile Safari/537.36',
  'Lynx/2.9.0dev.12 libwww-FM/2.14 SSL-MM/1.4.1',
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
