<?php

declare(strict_types=1);

namespace Heliograph;

/** A call of the API as data. */
final class Operation
{
    /**
     * @param string $repeatable `always`, `with-key` under the same `Idempotency-Key`, or `never`, unless the server did not begin with it.
     * @param ?string $body `json` or `file`.
     * @param list<int> $results Statuses with which it answers a result or an error.
     */
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly string $repeatable,
        public readonly ?string $body = null,
        public readonly bool $longPoll = false,
        public readonly bool $download = false,
        public readonly array $results = [],
    ) {
    }
}
