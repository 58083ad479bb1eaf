<?php

declare(strict_types=1);

namespace Heliograph;

/** Calls of webhooks, signed as Standard Webhooks describes it. */
final class Webhooks
{
    /**
     * Checks the signature of a call and gives its body parsed. Keep the ids (`webhook-id`) that were processed: a call may come twice.
     *
     * @param string $body What was received, not parsed and written again: `file_get_contents('php://input')`.
     * @param array<string, string|list<string>> $headers In any letter case: `getallheaders()`.
     * @param string $secret It was shown when the webhook was created: `whsec_…`.
     * @param int $tolerance Seconds that the clocks may differ and the call may have been on its way.
     * @throws InvalidSignature
     */
    public static function verify(string $body, array $headers, string $secret, int $tolerance = 300): mixed
    {
        if ($secret === '') {
            throw new \InvalidArgumentException('The secret of the webhook is missing.');
        }
        $known = array_change_key_case($headers);
        [$id, $timestamp, $given] = array_map(
            static fn (string $name): string => (string) (((array) ($known["webhook-$name"] ?? ''))[0] ?? ''),
            ['id', 'timestamp', 'signature'],
        );
        if ($id === '' || $timestamp === '' || $given === '') {
            throw new InvalidSignature('The call is not signed.');
        }
        if (!preg_match('/^\d{1,12}$/D', $timestamp) || abs(time() - (int) $timestamp) > $tolerance) {
            throw new InvalidSignature('The call is too old.');
        }
        $expected = self::signature($id, $timestamp, $body, $secret);
        // Two signatures while a secret is being replaced.
        foreach (array_slice(explode(' ', $given), 0, 8) as $signature) {
            [$version, $value] = explode(',', $signature, 2) + [1 => ''];
            if ($version === 'v1' && hash_equals($expected, self::decode($value))) {
                return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
            }
        }
        throw new InvalidSignature('The signature is wrong.');
    }

    /**
     * Signs a body as the installation does, for a server that is tried without it.
     *
     * @return array<string, string> The headers.
     */
    public static function sign(string $body, string $secret, string $id, ?int $at = null): array
    {
        $timestamp = (string) ($at ?? time());

        return [
            'webhook-id' => $id,
            'webhook-timestamp' => $timestamp,
            'webhook-signature' => 'v1,' . base64_encode(self::signature($id, $timestamp, $body, $secret)),
        ];
    }

    private static function signature(string $id, string $timestamp, string $body, string $secret): string
    {
        $key = self::decode(preg_replace('/^whsec_/', '', $secret));

        return hash_hmac('sha256', "$id.$timestamp.$body", $key, true);
    }

    private static function decode(string $text): string
    {
        $data = base64_decode($text, true);
        if ($data === false) {
            throw new InvalidSignature('The secret or the signature is not Base64.');
        }

        return $data;
    }
}
