<?php

declare(strict_types=1);

namespace Heliograph;

/** The API refused the call. */
final class ApiError extends \RuntimeException
{
    /** The code of the error, as the documentation lists them: `validation`, `insufficient_funds`, `InvalidCodeException`. */
    public readonly string $errorCode;

    /** @var list<array{field: string, message: string}> The refused fields, and why. */
    public readonly array $fields;

    /** Names the call in the logs of the server. */
    public readonly string $requestId;

    /** The URL of the page about the error: its cause and what to do. Null where the answer is not of the API. */
    public readonly ?string $docs;

    /** Seconds after which the call may be repeated. */
    public readonly ?float $retryAfter;

    /**
     * @param int $status The HTTP status.
     * @param mixed $body The body as it was received.
     * @param array<string, string> $headers By name in lower case.
     */
    public function __construct(
        public readonly int $status,
        public readonly mixed $body,
        array $headers,
    ) {
        $known = is_array($body) ? $body : [];
        // One-time codes name their errors `type`, everything else `code`.
        $this->errorCode = (string) ($known['type'] ?? $known['code'] ?? "http_$status");
        $this->fields = is_array($known['data'] ?? null) ? array_values($known['data']) : [];
        $this->requestId = (string) ($known['requestId'] ?? $headers['x-request-id'] ?? '');
        $this->docs = $known['docs'] ?? null;
        $this->retryAfter = self::secondsOf($headers['retry-after'] ?? '');
        // The receipt of a refused message has the reason in `error`.
        $reason = is_string($known['error'] ?? null) ? $known['error'] : $this->errorCode;
        parent::__construct((string) ($known['message'] ?? $reason), $status);
    }

    /** What PHP shows of an error that nobody catches. */
    public function __toString(): string
    {
        $fields = array_map(static fn (array $one): string => "$one[field]: $one[message]", $this->fields);
        $about = trim("$this->errorCode $this->docs");

        return implode("\n", [$this->getMessage(), ...$fields, $about, $this->getTraceAsString()]);
    }

    /** A number of seconds or a date, by RFC 9110. */
    private static function secondsOf(string $retryAfter): ?float
    {
        if ($retryAfter === '') {
            return null;
        }
        if (is_numeric($retryAfter)) {
            return max(0.0, (float) $retryAfter);
        }
        $at = strtotime($retryAfter);

        return $at === false ? null : max(0.0, (float) ($at - time()));
    }
}
