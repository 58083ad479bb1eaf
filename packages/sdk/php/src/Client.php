<?php

declare(strict_types=1);

namespace Heliograph;

/** Makes the calls of an installation, and makes them again where that has no second effect. */
class Client
{
    /** Reachable by offset; further rows by a cursor. */
    private const LAST_OFFSET = 10_000;
    private const PAGE = 500;
    /** Statuses that say: not now. */
    private const BUSY = [429, 503];
    private const TEMPORARY = [408, 425, 429, 500, 502, 503, 504];
    private const LONGEST_WAIT = 60.0;
    private const LONG_POLL = 120.0;

    /** The address of the installation, without a slash at the end. */
    public readonly string $url;
    private ?\CurlHandle $handle = null;

    /**
     * @param string $url The address of the installation, without `/api`: `https://messages.example`.
     * @param string|\Closure|null $token An API token, or a function that gives it for each call.
     * @param float $timeout Seconds for one attempt.
     * @param int $attempts How often a call is made at most, if it may be repeated.
     */
    public function __construct(
        string $url,
        private readonly string|\Closure|null $token = null,
        private readonly float $timeout = 30.0,
        private readonly int $attempts = 4,
    ) {
        $this->url = rtrim($url, '/');
    }

    /**
     * Every row of a list, page by page; `$helio->contacts->all(['ListId' => $id])` calls it. Lists with a cursor have no end; the others
     * end after 10,500 rows.
     *
     * @param callable(array<string, mixed>): array<string, mixed> $find
     * @param array<string, mixed> $query
     * @return \Generator<int, array<string, mixed>>
     */
    public function each(callable $find, array $query, bool $hasCursor): \Generator
    {
        $given = array_merge(['$limit' => self::PAGE], $query);
        $byCursor = $hasCursor && empty($given['$order']) && empty($given['$offset']);
        $offset = (int) ($given['$offset'] ?? 0);
        $cursor = null;
        do {
            $place = $byCursor ? array_filter(['cursor' => $cursor]) : ['$offset' => $offset];
            $rows = $find(array_merge($given, $place))['data'];
            foreach ($rows as $row) {
                yield $row;
            }
            $offset += count($rows);
            $cursor = $rows ? $rows[count($rows) - 1]['id'] ?? null : null;
        } while (count($rows) >= (int) $given['$limit'] && ($byCursor || $offset <= self::LAST_OFFSET));
    }

    /**
     * One call, repeated where that has no second effect. `$body` is data, or the path of a file, or a file as `['name' => …, 'data' => …]`.
     *
     * @param list<string> $params What stands in the path.
     * @param array<string, mixed> $query
     * @throws ApiError|NoAnswer
     */
    public function run(
        Operation $operation,
        array $params = [],
        mixed $body = null,
        array $query = [],
        ?float $timeout = null,
        ?string $idempotencyKey = null,
    ): mixed {
        $options = $this->request($operation, $params, $body, $query, $idempotencyKey);
        $seconds = $timeout ?? ($operation->longPoll ? self::LONG_POLL : $this->timeout);
        $options[CURLOPT_TIMEOUT_MS] = (int) ceil($seconds * 1000);
        for ($attempt = 1; ; $attempt++) {
            try {
                return $this->attempt($options, $operation);
            } catch (ApiError | NoAnswer $error) {
                if ($attempt >= $this->attempts || !self::mayRepeat($operation, $error)) {
                    throw $error;
                }
                // Apart by chance, so that many programs do not come back at once.
                $chance = 0.5 + mt_rand() / mt_getrandmax();
                $told = $error instanceof ApiError ? $error->retryAfter : null;
                $wait = $told ?? 0.25 * 2 ** $attempt * $chance;
                if ($wait > self::LONGEST_WAIT) {
                    throw $error;
                }
            }
            usleep((int) ($wait * 1_000_000));
        }
    }

    /** @return array<int, mixed> Options of curl. */
    private function request(Operation $operation, array $params, mixed $body, array $query, ?string $key): array
    {
        $path = preg_replace_callback('/\{(\w+)\}/', static function (array $found) use (&$params): string {
            $value = array_shift($params);
            if (!is_string($value) || $value === '') {
                throw new \InvalidArgumentException("$found[1] is missing");
            }

            return rawurlencode($value);
        }, $operation->path);
        $search = http_build_query(self::plain($query));
        $token = $this->token instanceof \Closure ? ($this->token)() : $this->token;
        // Without the last one curl asks first whether a large body is welcome.
        $headers = ['Accept: ' . ($operation->download ? '*/*' : 'application/json'), 'Expect:'];
        if ($token !== null) {
            $headers[] = "Authorization: Bearer $token";
        }
        if ($operation->repeatable === 'with-key') {
            $headers[] = 'Idempotency-Key: ' . ($key ?? bin2hex(random_bytes(16)));
        }
        $options = [CURLOPT_CUSTOMREQUEST => $operation->method];
        if ($operation->body === 'file') {
            $options[CURLOPT_POSTFIELDS] = ['file' => self::file($body)];
        } elseif ($operation->body !== null && $body !== null) {
            // An empty body is an object.
            $data = $body === [] ? new \stdClass() : $body;
            $options[CURLOPT_POSTFIELDS] = json_encode($data, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE);
            $headers[] = 'Content-Type: application/json';
        }

        return $options + [
            CURLOPT_URL => "$this->url/api$path" . ($search === '' ? '' : "?$search"),
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_RETURNTRANSFER => true,
            // A redirect would take the token to another address.
            CURLOPT_FOLLOWLOCATION => false,
        ];
    }

    private function attempt(array $options, Operation $operation): mixed
    {
        $headers = [];
        $options[CURLOPT_HEADERFUNCTION] = static function (\CurlHandle $_, string $line) use (&$headers): int {
            [$name, $value] = explode(':', $line, 2) + [1 => null];
            if ($value !== null) {
                $headers[strtolower(trim($name))] = trim($value);
            }

            return strlen($line);
        };
        $this->handle ??= curl_init();
        // Keeps the connection.
        curl_reset($this->handle);
        curl_setopt_array($this->handle, $options);
        $data = curl_exec($this->handle);
        if ($data === false) {
            throw new NoAnswer(curl_error($this->handle));
        }
        $status = curl_getinfo($this->handle, CURLINFO_RESPONSE_CODE);
        $isSuccess = $status >= 200 && $status < 300;
        if ($isSuccess && $operation->download) {
            return $data;
        }
        $body = self::jsonOf($data);
        $isResult = in_array($status, $operation->results, true) && is_array($body) && !isset($body['code']);
        if ($isSuccess || $isResult) {
            return $body;
        }
        throw new ApiError($status, $body, $headers);
    }

    private static function mayRepeat(Operation $operation, ApiError|NoAnswer $error): bool
    {
        if ($error instanceof NoAnswer) {
            return $operation->repeatable !== 'never';
        }
        // The first call under this key still runs.
        if ($error->errorCode === 'idempotency_running') {
            return true;
        }
        $passing = $operation->repeatable === 'never' ? self::BUSY : self::TEMPORARY;

        return in_array($error->status, $passing, true) && $error->errorCode !== 'poll_timeout';
    }

    private static function jsonOf(string $data): mixed
    {
        if ($data === '') {
            return null;
        }
        try {
            return json_decode($data, true, 512, JSON_THROW_ON_ERROR);
        } catch (\JsonException) {
            return $data;
        }
    }

    /** `['status' => ['sent'], 'createdAt' => ['$gt' => $since]]` is `status[0]=sent&createdAt[$gt]=`. */
    private static function plain(array $query): array
    {
        $plain = [];
        foreach ($query as $name => $value) {
            $plain[$name] = match (true) {
                is_array($value) => self::plain($value),
                is_bool($value) => $value ? 'true' : 'false',
                $value instanceof \DateTimeInterface => (new \DateTimeImmutable('@' . $value->format('U.u')))->format('Y-m-d\TH:i:s.v\Z'),
                default => $value,
            };
        }

        return $plain;
    }

    private static function file(string|array $file): \CURLFile|\CURLStringFile
    {
        return is_string($file)
            ? new \CURLFile($file, 'application/octet-stream', basename($file))
            : new \CURLStringFile($file['data'], $file['name']);
    }
}
