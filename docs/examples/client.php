<?php
// PHP 8 with curl. Set TOKEN and run it: php client.php
const TEMPORARY = [429, 500, 502, 503, 504];

class ApiError extends Exception
{
    public function __construct(public int $status, public array $body)
    {
        parent::__construct("$status {$body['code']}: " . ($body['message'] ?? $body['error']));
    }
}

/** Repeats temporary errors. The same key makes the repetition harmless. */
function call(string $method, string $path, ?array $body = null, ?CURLFile $file = null, ?string $key = null): array
{
    $key ??= bin2hex(random_bytes(16));
    for ($attempt = 1; ; $attempt++) {
        $wait = 2 ** ($attempt - 1);
        $headers = ['Authorization: Bearer ' . getenv('TOKEN'), "Idempotency-Key: $key"];
        $request = curl_init((getenv('API') ?: '{{api}}') . $path);
        curl_setopt_array($request, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => 30,
            CURLOPT_HEADERFUNCTION => function ($_, string $line) use (&$wait): int {
                if (preg_match('/^retry-after: (\d+)/i', $line, $found)) $wait = (int) $found[1];
                return strlen($line);
            },
        ]);
        if ($file) curl_setopt($request, CURLOPT_POSTFIELDS, ['file' => $file]);
        if ($body !== null) {
            $headers[] = 'Content-Type: application/json';
            curl_setopt($request, CURLOPT_POSTFIELDS, json_encode($body));
        }
        curl_setopt($request, CURLOPT_HTTPHEADER, $headers);
        $answer = curl_exec($request);
        $status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
        if ($status >= 200 && $status < 300) return json_decode($answer, true);
        $isTemporary = $answer === false || in_array($status, TEMPORARY, true);
        if (!$isTemporary || $attempt === 5) {
            throw new ApiError($status, json_decode((string) $answer, true) ?? ['code' => 'no_answer', 'error' => curl_error($request)]);
        }
        sleep($wait);
    }
}

// One message; the number of the order is a good key
$message = call('POST', '/sendings', [
    'type' => 'sms',
    'recipient' => '+79990000000',
    'payload' => ['sender' => 'DEMO', 'text' => 'Your code is 1234'],
], key: 'order-' . bin2hex(random_bytes(8)));
echo "message {$message['id']}\n";

// Its status
echo call('GET', "/sendings/{$message['id']}")['state']['status'], "\n";

// A contact list and a file with contacts
$list = call('POST', '/contactLists', ['title' => 'Customers', 'type' => 'regular']);
file_put_contents('contacts.csv', "phone,first name\n+79990000001,Anna\n+79990000002,Boris\n");
$file = call('POST', '/storage', file: new CURLFile('contacts.csv', 'text/csv', 'contacts.csv'));
$report = call('PUT', '/contacts', ['ListId' => $list['id'], 'from' => ['key' => $file['key']]]);
echo "imported {$report['total']}\n";

// A bulk to the list
$task = call('POST', '/sendings', [
    'type' => 'sms',
    'recipient' => ['include' => [$list['id']]],
    'payload' => ['sender' => 'DEMO', 'text' => 'Hello {firstName}'],
]);
echo "task {$task['groupId']}\n";

// The balance
$me = call('GET', '/users/me');
echo 'balance ', call('GET', "/billings/balance/{$me['id']}")['result'], "\n";

// An error names the refused fields
try {
    call('POST', '/sendings', ['type' => 'sms', 'recipient' => '+79990000000', 'payload' => ['sender' => 'DEMO']]);
} catch (ApiError $error) {
    echo $error->body['code'], ' ', implode(', ', array_column($error->body['data'] ?? [], 'field')), "\n";
}
