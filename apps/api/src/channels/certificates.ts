import type { CertificateFacts } from '@heliograph/domain';
import { X509Certificate } from 'node:crypto';

/** A certificate that was pasted somewhere may have lost the ends of its lines. */
export const certificateIn = (pem: string): string =>
  [...pem.matchAll(CERTIFICATES)]
    .map(([, base64]) => `${BEGIN}\n${base64!.replaceAll(/\s+/g, '\n').trim()}\n${END}\n`)
    .join('');

const BEGIN = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';
const CERTIFICATES = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g;

/** Whether a text is certificates in PEM, and nothing else. */
export function isCertificate(pem: string): boolean {
  if (pem.replaceAll(CERTIFICATES, '').trim()) return false;
  try {
    return new X509Certificate(certificateIn(pem)).ca !== undefined;
  } catch {
    return false;
  }
}

const MAX_CERTIFICATES = 20;

/** The certificates of a text in PEM, in their order. What cannot be read is left out. */
export function certificatesOf(pem: string): CertificateFacts[] {
  const texts = [...pem.matchAll(CERTIFICATES)].slice(0, MAX_CERTIFICATES);
  return texts.flatMap(([text]) => {
    try {
      const { subject, subjectAltName, validTo, fingerprint256 } = new X509Certificate(
        certificateIn(text),
      );
      const endsAt = new Date(validTo).toISOString();
      const known = /^CN=(.+)$/m.exec(subject ?? '')?.[1] ?? subject?.replaceAll('\n', ', ');
      return [
        { subject: known || subjectAltName || fingerprint256, endsAt, fingerprint: fingerprint256 },
      ];
    } catch {
      return [];
    }
  });
}
