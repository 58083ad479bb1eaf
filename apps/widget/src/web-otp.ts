/**
 * The code of an SMS for this site, if the browser offers it (WebOTP) and the user agrees: the text must end with
 * `@host #code`. Undefined otherwise.
 */
export async function offeredCode(signal: AbortSignal): Promise<string | undefined> {
  if (!('OTPCredential' in globalThis)) return undefined;
  try {
    const options = { otp: { transport: ['sms'] }, signal };
    const credential = await navigator.credentials.get(options as CredentialRequestOptions);
    return (credential as { code?: string } | null)?.code;
  } catch {
    return undefined;
  }
}
