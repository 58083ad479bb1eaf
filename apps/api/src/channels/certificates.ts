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
