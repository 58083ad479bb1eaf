import { createPublicKey } from 'node:crypto';

import type { DnsRecord } from '../channel.ts';
import { addressIn } from '../socket-options.ts';
import { signingKeyIn, type SmtpOptions } from './options.ts';

/** What the DNS says for receivers to trust the mail of a channel, and for bounces to find their way. */
export function recordsOf(options: SmtpOptions): DnsRecord[] {
  const { domain, dkimSelector, dkimKey, bounceDomain } = options;
  const { host } = addressIn(options);
  const sending = { type: 'TXT', isRight: isSpf } as const;
  return [
    // The domain of the return path is the one that SPF looks at.
    {
      ...sending,
      kind: 'spf',
      names: [bounceDomain ?? domain],
      wanted: `v=spf1 a:${host} -all`,
      prefix: 'v=spf1',
    },
    ...(dkimSelector && dkimKey ? [dkimOf(`${dkimSelector}._domainkey.${domain}`, dkimKey)] : []),
    {
      kind: 'dmarc',
      type: 'TXT',
      // That of a domain above holds where there is none of its own.
      names: parentsOf(domain).map((parent) => `_dmarc.${parent}`),
      wanted: 'v=DMARC1; p=quarantine',
      prefix: 'v=DMARC1',
      isRight: (found) => /^v=DMARC1\s*;\s*p\s*=\s*(?:none|quarantine|reject)\b/i.test(found),
    },
    ...(bounceDomain
      ? [
          {
            kind: 'bounces',
            type: 'MX',
            names: [bounceDomain],
            wanted: `10 mail.${bounceDomain}`,
            prefix: '',
            // `0 .` takes no mail: RFC 7505.
            isRight: (found: string) => !/^\d+ \.?$/.test(found),
          } as const,
        ]
      : []),
  ];
}

/** A record that lets everybody send protects nobody. */
const isSpf = (found: string): boolean => !/\s\+?all(?:\s|$)/i.test(found);

function dkimOf(name: string, pem: string): DnsRecord {
  const key = createPublicKey(signingKeyIn(pem))
    .export({ type: 'spki', format: 'der' })
    .toString('base64');
  return {
    kind: 'dkim',
    type: 'TXT',
    names: [name],
    wanted: `v=DKIM1; k=rsa; p=${key}`,
    prefix: '',
    isRight: (found) => tagOf(found, 'p') === key,
  };
}

/** The value of a tag: `tagOf('k=rsa; p=MI IB', 'p')` is 'MIIB'. */
const tagOf = (record: string, name: string): string | undefined =>
  record
    .split(';')
    .map((tag) => tag.replaceAll(/\s/g, ''))
    .find((tag) => tag.startsWith(`${name}=`))
    ?.slice(name.length + 1);

/** `mail.tea.example` and `tea.example`. */
const parentsOf = (domain: string): string[] => {
  const labels = domain.split('.');
  return labels
    .slice(0, -1)
    .map((_, i) => labels.slice(i).join('.'))
    .slice(0, MAX_PARENTS);
};

const MAX_PARENTS = 5;
